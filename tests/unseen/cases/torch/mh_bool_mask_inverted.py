# exercise: MultiHeadAttention
# bugs: causal-inverted, mask-inverted

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.h, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (f(x).view(B, T, self.h, -1).transpose(1, 2) for f in (self.W_q, self.W_k, self.W_v))
        s = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(D // self.h)
        if self.causal:
            s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).tril(-1), float("-inf"))  # <-
        return self.W_o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
