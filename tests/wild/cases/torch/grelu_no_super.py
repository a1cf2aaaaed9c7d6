# exercise: SelfAttention
# bugs: super-missing
# source: Genentech/gReLU#188

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        self.channels = d_model  # <-
        self.W_q = nn.Linear(d_model, d_model)  # <-
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True):
        mask = causal_mask(x.shape[-2]) if causal else None
        out, _ = scaled_dot_product_attention(self.W_q(x), self.W_k(x), self.W_v(x), mask)
        return self.W_o(out)
