# exercise: MultiHeadAttention
# bugs: scale-by-d-model
# source: rezazad68/TMUnet#13

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads != 0:
            raise ValueError("heads")
        self.num_heads = num_heads
        self.causal = causal
        self.W_q, self.W_k, self.W_v, self.W_o = (np.random.randn(d_model, d_model) * 0.1 for _ in range(4))

    def forward(self, x):
        width = x.shape[-1]
        outputs = []
        for q, k, v in zip(*(np.split(x @ W, self.num_heads, axis=-1) for W in (self.W_q, self.W_k, self.W_v))):
            att = np.matmul(q, k.transpose(0, 2, 1)) * width**-0.5  # <-
            if self.causal:
                att += causal_mask(x.shape[1])
            outputs.append(softmax(att) @ v)
        return np.concatenate(outputs, axis=-1) @ self.W_o
