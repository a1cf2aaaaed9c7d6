# exercise: MultiHeadAttention
# bugs: heads-merged-by-reshape
# source: hackiey/QAnet-pytorch#2

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("n_heads must divide n_dim")
        self.n_heads, self.value_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        batch_size, l, _ = x.shape
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        mask = causal_mask(l) if self.causal else None
        found = []
        for i in range(self.n_heads):
            own = slice(i * self.value_dim, (i + 1) * self.value_dim)
            head, _ = scaled_dot_product_attention(Q[..., own], K[..., own], V[..., own], mask)
            found.append(head)
        heads = torch.stack(found)
        x = heads.view(batch_size, l, -1)  # <-
        return self.W_o(x)
