# exercise: SelfAttention
# bugs: graph-detached

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, causal=True):
        Q, K, V = self.W_q(x), self.W_k(x.detach()), self.W_v(x)  # <-
        mask = causal_mask(x.shape[-2]) if causal else None
        out, _ = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_o(out)
