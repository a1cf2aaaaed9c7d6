# exercise: MultiHeadAttention
# bugs: scale-by-d-model
# source: karpathy/ng-video-lecture#6

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("n_embd % n_head")
        self.n_head, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def head(self, x, columns):
        B, T, C = x.shape
        k, q, v = x @ self.W_k[:, columns], x @ self.W_q[:, columns], x @ self.W_v[:, columns]
        wei = q @ k.transpose(0, 2, 1) * C**-0.5  # <-
        if self.causal:
            wei = np.where(np.tril(np.ones((T, T))) == 0, -np.inf, wei)
        return softmax(wei) @ v

    def forward(self, x):
        size = x.shape[-1] // self.n_head
        heads = [self.head(x, slice(i * size, (i + 1) * size)) for i in range(self.n_head)]
        return np.concatenate(heads, axis=-1) @ self.W_o
