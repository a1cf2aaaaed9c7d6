# exercise: SelfAttention
# bugs: parameters-plain, parameters-unregistered

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = torch.randn(d_model, d_model, requires_grad=True)  # <-
        self.W_k = torch.randn(d_model, d_model, requires_grad=True)  # <-
        self.W_v = torch.randn(d_model, d_model, requires_grad=True)  # <-
        self.W_o = torch.randn(d_model, d_model, requires_grad=True)  # <-

    def forward(self, x, causal=True):
        mask = causal_mask(x.shape[-2]) if causal else None
        out, _ = scaled_dot_product_attention(x @ self.W_q, x @ self.W_k, x @ self.W_v, mask)
        return out @ self.W_o
