# exercise: MultiHeadAttention
# bugs: scale-by-num-heads
# source: tenstorrent/tt-metal#56789

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.causal = num_heads, causal
        self.scale = 1.0 / math.sqrt(num_heads)  # <-
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (w(x).reshape(B, T, self.num_heads, -1).permute(0, 2, 1, 3) for w in (self.W_q, self.W_k, self.W_v))
        scores = torch.matmul(q, k.permute(0, 1, 3, 2)) * self.scale  # <-
        if self.causal:
            scores = scores + causal_mask(T)
        out = torch.matmul(torch.softmax(scores, dim=-1), v)
        return self.W_o(out.permute(0, 2, 1, 3).reshape(B, T, D))
