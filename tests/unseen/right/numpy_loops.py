# Loops and small steps.


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    out = np.empty_like(scores)
    for index in np.ndindex(*scores.shape[:-1]):
        e = np.exp(scores[index] - np.max(scores[index]))
        out[index] = e / e.sum()
    return out


def attention_scores(Q, K, d_k):
    K_t = np.moveaxis(K, -1, -2)
    raw = np.matmul(Q, K_t)
    return raw / d_k**0.5


def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(i + 1, seq_len):
            mask[i, j] = -1e9
    return mask


def apply_attention(weights, V):
    out = np.zeros((*weights.shape[:-1], V.shape[-1]))
    for j in range(V.shape[-2]):
        out += weights[..., j, None] * V[..., j, None, :]
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.matmul(Q / Q.shape[-1] ** 0.5, np.swapaxes(K, -2, -1))
    if mask is not None:
        bias = mask
        if mask.dtype == np.bool_:
            bias = np.zeros(mask.shape)
            bias[~mask] = -1e9
        s = s + bias
    e = np.exp(s - np.amax(s, axis=-1, keepdims=True))
    w = e / np.sum(e, axis=-1, keepdims=True)
    return np.matmul(w, V), w


class SelfAttention:
    def __init__(self, d_model):
        self.d_model = d_model
        self.W_q = np.random.rand(d_model, d_model)
        self.W_k = np.random.rand(d_model, d_model)
        self.W_v = np.random.rand(d_model, d_model)
        self.W_o = np.random.rand(d_model, d_model)

    def forward(self, x, causal=True):
        q, k, v = x.dot(self.W_q), x.dot(self.W_k), x.dot(self.W_v)
        out = np.zeros_like(v)
        T = x.shape[-2]
        for i in range(T):
            end = i + 1 if causal else T
            s = (k[..., :end, :] * q[..., i, None, :]).sum(-1) / math.sqrt(self.d_model)
            e = np.exp(s - s.max(-1, keepdims=True))
            p = e / e.sum(-1, keepdims=True)
            out[..., i, :] = (p[..., None] * v[..., :end, :]).sum(-2)
        return out.dot(self.W_o)


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads do not divide {d_model}")
        self.heads, self.size, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = np.random.randn(d_model, d_model)
        self.W_k = np.random.randn(d_model, d_model)
        self.W_v = np.random.randn(d_model, d_model)
        self.W_o = np.random.randn(d_model, d_model)

    def head(self, x, columns):
        q, k, v = x @ self.W_q[:, columns], x @ self.W_k[:, columns], x @ self.W_v[:, columns]
        s = q @ k.transpose(0, 2, 1) / np.sqrt(self.size)
        if self.causal:
            s[:, ~np.tri(x.shape[1], dtype=bool)] = -np.inf
        e = np.exp(s - s.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True) @ v

    def forward(self, x):
        cuts = [slice(i * self.size, (i + 1) * self.size) for i in range(self.heads)]
        return np.concatenate([self.head(x, cut) for cut in cuts], axis=-1) @ self.W_o
