# exercise: SelfAttention
# bugs: causal-missing
# source: FGA-DIKU/BONSAI#343

class SelfAttention:
    def __init__(self, d_model):
        self.is_causal = True
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def _update_attention_mask(self, length):
        return causal_mask(length) if self.is_causal else None

    def forward(self, x, causal=True):
        self.is_causal = causal
        attention_mask = None  # <-
        out, _ = scaled_dot_product_attention(x @ self.W_q, x @ self.W_k, x @ self.W_v, attention_mask)  # <-
        return out @ self.W_o
