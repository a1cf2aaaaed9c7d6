"""Where exercises send a learner to read on."""

from __future__ import annotations

VASWANI = "Vaswani et al. 2017, Attention Is All You Need, section 3.2 (arXiv:1706.03762)"
BAHDANAU = (
    "Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and "
    "Translate (arXiv:1409.0473)"
)
ANNOTATED = "Rush 2018, The Annotated Transformer (nlp.seas.harvard.edu/annotated-transformer)"
MICROGRAD = "Karpathy, micrograd: a scalar autograd engine (github.com/karpathy/micrograd)"
MINGPT = "Karpathy, minGPT: CausalSelfAttention in mingpt/model.py (github.com/karpathy/minGPT)"
LAYER_NORM = "Ba, Kiros and Hinton 2016, Layer Normalization (arXiv:1607.06450)"
PRE_NORM = (
    "Xiong et al. 2020, On Layer Normalization in the Transformer Architecture (arXiv:2002.04745)"
)
GELU = "Hendrycks and Gimpel 2016, Gaussian Error Linear Units (arXiv:1606.08415)"
FEED_FORWARD = "Vaswani et al. 2017, Attention Is All You Need, section 3.3 (arXiv:1706.03762)"
STABLE_SOFTMAX = (
    "Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions"
)
BROADCASTING = "NumPy manual, Broadcasting (numpy.org/doc/stable/user/basics.broadcasting.html)"
