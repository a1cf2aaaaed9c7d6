# exercise: MultiHeadAttention
# bugs: scale-missing
# source: PAIR-code/tiny-transformers#71

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("bad head count")
        self.num_heads, self.causal = num_heads, causal
        self.W_q = nn.Parameter(torch.randn(d_model, d_model) * 0.1)
        self.W_k = nn.Parameter(torch.randn(d_model, d_model) * 0.1)
        self.W_v = nn.Parameter(torch.randn(d_model, d_model) * 0.1)
        self.W_o = nn.Parameter(torch.randn(d_model, d_model) * 0.1)

    def per_head(self, w):
        return w.unflatten(1, (self.num_heads, -1))

    def forward(self, x):
        queries = torch.einsum("bpi,ihk->bhpk", x, self.per_head(self.W_q))
        keys = torch.einsum("bpi,ihk->bhpk", x, self.per_head(self.W_k))
        values = torch.einsum("bpi,ihk->bhpk", x, self.per_head(self.W_v))
        raw_attn = torch.einsum("bhpk,bhsk->bhps", queries, keys)  # <-
        if self.causal:
            raw_attn = raw_attn + causal_mask(x.shape[1])
        attn = torch.softmax(raw_attn, -1)  # <-
        mixed = torch.einsum("bhps,bhsk->bphk", attn, values)
        return mixed.flatten(2) @ self.W_o
