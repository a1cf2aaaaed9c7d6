# exercise: MultiHeadAttention
# bugs: scale-by-d-model
# source: brightmart/bert_language_understanding#9

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("h must divide d_model")
        self.d_model, self.h, self.causal = d_model, num_heads, causal
        rng = np.random.default_rng()
        self.W_q = rng.normal(0, 0.2, (d_model, d_model))
        self.W_k = rng.normal(0, 0.2, (d_model, d_model))
        self.W_v = rng.normal(0, 0.2, (d_model, d_model))
        self.W_o = rng.normal(0, 0.2, (d_model, d_model))

    def forward(self, x):
        Q, K, V = (np.stack(np.split(x @ W, self.h, axis=2), axis=1) for W in (self.W_q, self.W_k, self.W_v))
        dot_product = Q @ K.transpose(0, 1, 3, 2)
        dot_product = dot_product * (1.0 / np.sqrt(self.d_model))  # <-
        if self.causal:
            dot_product = dot_product + causal_mask(x.shape[1])
        heads = softmax(dot_product) @ V
        return np.concatenate(list(heads.transpose(1, 0, 2, 3)), axis=-1) @ self.W_o
