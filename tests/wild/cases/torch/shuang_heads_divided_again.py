# exercise: MultiHeadAttention
# bugs: unrecognised, scale-by-num-heads
# source: pengshuang/Transformer#1

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.dim_per_head, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, D = x.shape
        query, key, value = (
            w(x).view(B, T, self.num_heads, self.dim_per_head).transpose(1, 2)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        scale = (key.size(-1) / self.num_heads) ** -0.5  # <-
        attention = torch.matmul(query, key.transpose(-2, -1)) * scale  # <-
        if self.causal:
            attention = attention + causal_mask(T)
        context = torch.matmul(torch.softmax(attention, -1), value)
        return self.W_o(context.transpose(1, 2).reshape(B, T, D))
