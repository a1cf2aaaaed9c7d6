# exercise: SelfAttention
# bugs: graph-detached

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, causal=True):
        q = x @ self.W_q.weight.T
        k = x @ self.W_k.weight.data.T  # <-
        v = x @ self.W_v.weight.T
        mask = causal_mask(x.size(-2)) if causal else None
        return self.W_o(scaled_dot_product_attention(q, k, v, mask)[0])
