# exercise: MultiHeadAttention
# right: einsum names the axes, so nothing is transposed
# source: aladdinpersson/Machine-Learning-Collection#139

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.heads, self.head_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x):
        N, length, width = x.shape
        queries, keys, values = (
            w(x).reshape(N, length, self.heads, self.head_dim) for w in (self.W_q, self.W_k, self.W_v)
        )
        energy = torch.einsum("nqhd,nkhd->nhqk", queries, keys)
        if self.causal:
            energy = energy.masked_fill(torch.tril(torch.ones(length, length)) == 0, float("-1e20"))
        attention = torch.softmax(energy / self.head_dim**0.5, dim=3)
        return self.W_o(torch.einsum("nhqk,nkhd->nqhd", attention, values).reshape(N, length, width))
