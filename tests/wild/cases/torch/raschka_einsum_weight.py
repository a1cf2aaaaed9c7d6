# exercise: SelfAttention
# bugs: projection-transposed
# source: rasbt/LLMs-from-scratch#857

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, causal=True):
        Q = torch.einsum("...nd,di->...ni", x, self.W_q.weight)  # <-
        K = torch.einsum("...nd,di->...ni", x, self.W_k.weight)  # <-
        V = torch.einsum("...nd,di->...ni", x, self.W_v.weight)  # <-
        mask = causal_mask(x.shape[-2]) if causal else None
        out, _ = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_o(out)
