# exercise: SelfAttention
# bugs: projection-shared
# source: stevezheng23/sequence_labeling_tf#81

class SelfAttention:
    def __init__(self, d_model):
        self.unit_dim = d_model
        projection = np.random.randn(d_model, d_model) * d_model**-0.5
        self.W_q = projection  # <-
        self.W_k = projection  # <-
        self.W_v = projection  # <-
        self.W_o = np.random.randn(d_model, d_model) * d_model**-0.5

    def forward(self, x, causal=True):
        query, key, value = x @ self.W_q, x @ self.W_k, x @ self.W_v
        mask = causal_mask(x.shape[-2]) if causal else None
        attended, _ = scaled_dot_product_attention(query, key, value, mask)
        return attended @ self.W_o
