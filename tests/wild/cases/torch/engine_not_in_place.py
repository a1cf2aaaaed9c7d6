# exercise: MultiHeadAttention
# bugs: mask-result-dropped, causal-missing
# source: opendilab/DI-engine#333

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("the width must be a multiple of the heads")
        self.head_num = num_heads
        self.head_dim = d_model // num_heads
        self.causal = causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        B, N = x.shape[:2]
        return x.view(B, N, self.head_num, self.head_dim).permute(0, 2, 1, 3)

    def forward(self, x):
        B, N, C = x.shape
        query, key, value = self.heads(self.W_q(x)), self.heads(self.W_k(x)), self.heads(self.W_v(x))
        score = torch.matmul(query, key.permute(0, 1, 3, 2)) / math.sqrt(self.head_dim)
        if self.causal:
            mask = torch.tril(torch.ones(N, N)).bool()
            score.masked_fill(~mask, value=-1e9)  # <-
        attention = torch.matmul(F.softmax(score, dim=-1), value)
        return self.W_o(attention.permute(0, 2, 1, 3).reshape(B, N, C))
