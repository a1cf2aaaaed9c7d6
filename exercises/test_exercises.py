"""`pytest` checks your exercises: one test for each of them and each question about it.

The same checks as `attnpack check`, with your code in the same separate process. This is the
file that editors and CI look for; there is nothing in it to change. Should pytest not find
`attnpack_stage`, it runs under another Python: type `python -m pytest` where attnpack is installed.
"""


def test_softmax(attnpack_stage):
    attnpack_stage.must_pass()


def test_attention_scores(attnpack_stage):
    attnpack_stage.must_pass()


def test_causal_mask(attnpack_stage):
    attnpack_stage.must_pass()


def test_apply_attention(attnpack_stage):
    attnpack_stage.must_pass()


def test_scaled_dot_product_attention(attnpack_stage):
    attnpack_stage.must_pass()


def test_SelfAttention(attnpack_stage):
    attnpack_stage.must_pass()


def test_MultiHeadAttention(attnpack_stage):
    attnpack_stage.must_pass()
