"""Where the bug cards send a reader: papers, lessons and pages of the libraries' manuals."""

from __future__ import annotations

from typing import Final

_VASWANI = "Vaswani et al. 2017, Attention Is All You Need"
_VASWANI_AT = "https://arxiv.org/abs/1706.03762"

ATTENTION: Final = f"{_VASWANI}, section 3.2.1: {_VASWANI_AT}"
HEADS: Final = f"{_VASWANI}, section 3.2.2: {_VASWANI_AT}"
DECODER: Final = f"{_VASWANI}, section 3.2.3 (masking): {_VASWANI_AT}"
ANNOTATED: Final = "The Annotated Transformer: https://nlp.seas.harvard.edu/annotated-transformer/"
ILLUSTRATED: Final = (
    "Alammar, The Illustrated Transformer: https://jalammar.github.io/illustrated-transformer/"
)
CIRCUITS: Final = (
    "Elhage et al. 2021, A Mathematical Framework for Transformer Circuits: "
    "https://transformer-circuits.pub/2021/framework/index.html"
)
NANOGPT: Final = "Karpathy, nanoGPT, class CausalSelfAttention: https://github.com/karpathy/nanoGPT"
MICROGRAD: Final = "Karpathy, micrograd: https://github.com/karpathy/micrograd"
RESNET: Final = (
    "He et al. 2015, Deep Residual Learning for Image Recognition: https://arxiv.org/abs/1512.03385"
)
DROPOUT: Final = (
    "Srivastava et al. 2014, Dropout: A Simple Way to Prevent Neural Networks from Overfitting"
)
MIXED: Final = (
    "Micikevicius et al. 2017, Mixed Precision Training: https://arxiv.org/abs/1710.03740"
)
MILLER: Final = (
    "Miller 2023, Attention Is Off By One: https://www.evanmiller.org/attention-is-off-by-one.html"
)

STABLE: Final = (
    "Goodfellow, Bengio and Courville, Deep Learning, section 4.1 (overflow and underflow): "
    "https://www.deeplearningbook.org"
)
IEEE: Final = (
    "Goldberg 1991, What Every Computer Scientist Should Know About Floating-Point Arithmetic"
)

NP_BROADCAST: Final = (
    "NumPy user guide, Broadcasting: https://numpy.org/doc/stable/user/basics.broadcasting.html"
)
NP_COPIES: Final = "NumPy user guide, Copies and views"
NP_DTYPES: Final = "NumPy user guide, Data types"
NP_PROMOTION: Final = "NumPy reference, Data type promotion in NumPy"
NP_BOOL: Final = "NumPy user guide, Indexing on ndarrays, boolean array indexing"
NP_SLICES: Final = "NumPy user guide, Indexing on ndarrays, slicing and striding"
NP_SHAPE: Final = "NumPy reference, numpy.ndarray.shape"
NP_REDUCE: Final = "NumPy reference, numpy.sum (arguments axis and keepdims)"
NP_FULL: Final = "NumPy reference, numpy.zeros_like (argument dtype)"
NP_WHERE: Final = "NumPy reference, numpy.where"
NP_NOT: Final = "NumPy reference, numpy.invert and numpy.logical_not"
NP_REPEAT: Final = "NumPy reference, numpy.repeat and numpy.tile"
NP_TRI: Final = "NumPy reference, numpy.tril and numpy.triu (argument k)"
NP_MATMUL: Final = "NumPy reference, numpy.matmul (how stacks of matrices are multiplied)"
NP_RESHAPE: Final = "NumPy reference, numpy.reshape (the order of elements)"
NP_SWAPAXES: Final = "NumPy reference, numpy.swapaxes and numpy.transpose"
NP_SQUEEZE: Final = "NumPy reference, numpy.squeeze (argument axis)"
NP_FINFO: Final = "NumPy reference, numpy.finfo"

T_SOFTMAX: Final = "PyTorch docs, torch.nn.functional.softmax"
T_SDPA: Final = "PyTorch docs, torch.nn.functional.scaled_dot_product_attention"
T_MHA: Final = "PyTorch docs, torch.nn.MultiheadAttention (attn_mask and key_padding_mask)"
T_MASKED_FILL: Final = "PyTorch docs, torch.Tensor.masked_fill and masked_fill_"
T_VIEWS: Final = "PyTorch docs, Tensor Views"
T_RESHAPE: Final = "PyTorch docs, torch.reshape and torch.Tensor.contiguous"
T_LINEAR: Final = "PyTorch docs, torch.nn.Linear (the shape of weight)"
T_DROPOUT: Final = "PyTorch docs, torch.nn.functional.dropout (argument training)"
T_MODULE: Final = "PyTorch docs, torch.nn.Module (parameters, buffers, train and eval)"
T_MODULELIST: Final = "PyTorch docs, torch.nn.ModuleList"
T_AUTOGRAD: Final = "PyTorch docs, Autograd mechanics"
T_GRADCHECK: Final = "PyTorch docs, torch.autograd.gradcheck"
T_AMP: Final = "PyTorch docs, Automatic Mixed Precision"

PY_ERRORS: Final = (
    "Python tutorial, Errors and Exceptions: https://docs.python.org/3/tutorial/errors.html"
)
PY_DEFAULTS: Final = "Python tutorial, More on Defining Functions, default argument values"
PY_UNPACK: Final = "Python tutorial, Tuples and Sequences (unpacking)"
PY_WHILE: Final = "Python tutorial, First Steps Towards Programming (the while loop)"
PY_PDB: Final = "Python library, pdb and breakpoint()"
PY_EXIT: Final = "Python library, sys.exit"
PY_INF: Final = "Python library, math.inf"
