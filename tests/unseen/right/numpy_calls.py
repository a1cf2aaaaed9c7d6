# Every later exercise calls the earlier ones.


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention_scores(Q, K, d_k):
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)


def causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9), k=1)


def apply_attention(weights, V):
    return weights @ V


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    weights = softmax(scores)
    return apply_attention(weights, V), weights


class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        mask = causal_mask(x.shape[-2]) if causal else None
        out, _ = scaled_dot_product_attention(x @ self.W_q, x @ self.W_k, x @ self.W_v, mask)
        return out @ self.W_o


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def split(self, t):
        B, T, D = t.shape
        return t.reshape(B, T, self.num_heads, D // self.num_heads).transpose(0, 2, 1, 3)

    def forward(self, x):
        mask = causal_mask(x.shape[1]) if self.causal else None
        q, k, v = self.split(x @ self.W_q), self.split(x @ self.W_k), self.split(x @ self.W_v)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return out.transpose(0, 2, 1, 3).reshape(x.shape) @ self.W_o
