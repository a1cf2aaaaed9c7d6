# exercise: SelfAttention
# bugs: layer-made-in-forward

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, causal=True):
        out_layer = nn.Linear(self.d_model, self.d_model)  # <-
        mask = causal_mask(x.shape[-2]) if causal else None
        out, _ = scaled_dot_product_attention(self.W_q(x), self.W_k(x), self.W_v(x), mask)
        return out_layer(out)  # <-
