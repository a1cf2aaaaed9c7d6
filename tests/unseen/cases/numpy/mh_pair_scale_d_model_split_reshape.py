# exercise: MultiHeadAttention
# pair: scale-by-d-model, heads-split-by-reshape

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.causal = causal
        self.W_q = np.random.randn(d_model, d_model) * 0.1
        self.W_k = np.random.randn(d_model, d_model) * 0.1
        self.W_v = np.random.randn(d_model, d_model) * 0.1
        self.W_o = np.random.randn(d_model, d_model) * 0.1

    def split_heads(self, x):
        batch, length, _ = x.shape
        return x.reshape(batch, self.num_heads, length, self.d_k)  # <-

    def combine_heads(self, x):
        batch, heads, length, d_k = x.shape
        return x.transpose(0, 2, 1, 3).reshape(batch, length, self.d_model)

    def forward(self, x):
        Q = self.split_heads(np.dot(x, self.W_q))
        K = self.split_heads(np.dot(x, self.W_k))
        V = self.split_heads(np.dot(x, self.W_v))
        scores = np.matmul(Q, K.transpose(0, 1, 3, 2)) / np.sqrt(self.d_model)  # <-
        if self.causal:
            mask = np.triu(np.ones((x.shape[1], x.shape[1])), k=1)
            scores = scores + mask * -1e9
        exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
        weights = exp / np.sum(exp, axis=-1, keepdims=True)
        context = np.matmul(weights, V)
        return np.dot(self.combine_heads(context), self.W_o)
