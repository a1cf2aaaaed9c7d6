# exercise: MultiHeadAttention
# bugs: scale-twice, scale-no-sqrt
# source: AI-Hypercomputer/maxtext#1349

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("heads")
        self.heads, self.head_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def project(self, x, W, depth_scaling=1.0):
        y = (x @ W).reshape(x.shape[0], x.shape[1], self.heads, self.head_dim)
        return (y / depth_scaling).transpose(0, 2, 1, 3)

    def forward(self, x):
        query = self.project(x, self.W_q, depth_scaling=np.sqrt(self.head_dim))  # <-
        key = self.project(x, self.W_k)
        value = self.project(x, self.W_v)
        logits = query @ key.swapaxes(2, 3) * self.head_dim**-0.5  # <-
        if self.causal:
            logits = logits + causal_mask(x.shape[1])
        out = softmax(logits) @ value
        return out.transpose(0, 2, 1, 3).reshape(x.shape) @ self.W_o
