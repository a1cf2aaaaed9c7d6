# Every exercise stands alone, in einsum.


def softmax(scores):
    shifted = scores - np.max(scores, -1)[..., None]
    return np.exp(shifted - np.log(np.exp(shifted).sum(-1))[..., None])


def attention_scores(Q, K, d_k):
    return np.einsum("...id,...jd->...ij", Q, K) * d_k**-0.5


def causal_mask(seq_len):
    i = np.arange(seq_len)
    return np.where(i[:, None] >= i[None, :], 0.0, -np.inf)


def apply_attention(weights, V):
    return np.einsum("...ij,...jd->...id", weights, V)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            logits = np.where(mask, logits, -1e30)
        else:
            logits = logits + mask
    p = np.exp(logits - logits.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return np.einsum("...ij,...jd->...id", p, V), p


class SelfAttention:
    def __init__(self, d_model):
        rng = np.random.default_rng(3)
        self.W_q = rng.normal(0, 0.3, (d_model, d_model))
        self.W_k = rng.normal(0, 0.3, (d_model, d_model))
        self.W_v = rng.normal(0, 0.3, (d_model, d_model))
        self.W_o = rng.normal(0, 0.3, (d_model, d_model))

    def forward(self, x, causal=True):
        q, k, v = (np.einsum("...td,de->...te", x, W) for W in (self.W_q, self.W_k, self.W_v))
        s = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(x.shape[-1])
        if causal:
            n = s.shape[-1]
            s = np.where(np.tri(n, dtype=bool), s, -np.inf)
        p = np.exp(s - s.max(-1, keepdims=True))
        p = p / p.sum(-1, keepdims=True)
        return np.einsum("...ij,...jd,de->...ie", p, v, self.W_o)


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        assert d_model % num_heads == 0, "num_heads must divide d_model"
        self.h, self.d_k, self.causal = num_heads, d_model // num_heads, causal
        rng = np.random.default_rng(5)
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, rng.uniform(-0.4, 0.4, (d_model, d_model)))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (
            np.einsum("btd,dhk->bhtk", x, W.reshape(D, self.h, self.d_k))
            for W in (self.W_q, self.W_k, self.W_v)
        )
        s = np.einsum("bhik,bhjk->bhij", q, k) / np.sqrt(self.d_k)
        if self.causal:
            s = s + np.triu(np.full((T, T), -1e9), 1)
        p = np.exp(s - s.max(-1, keepdims=True))
        p = p / p.sum(-1, keepdims=True)
        o = np.einsum("bhij,bhjk->bihk", p, v)
        return np.einsum("bihk,hkd->bid", o, self.W_o.reshape(self.h, self.d_k, D))
