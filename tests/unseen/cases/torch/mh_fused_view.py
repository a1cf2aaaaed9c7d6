# exercise: MultiHeadAttention
# bugs: heads-merged-by-reshape

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.h, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        qkv = torch.stack([self.W_q(x), self.W_k(x), self.W_v(x)])
        q, k, v = qkv.view(3, B, T, self.h, D // self.h).transpose(2, 3).unbind(0)
        s = (q @ k.mT) * (D // self.h) ** -0.5
        if self.causal:
            s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
        return self.W_o((s.softmax(-1) @ v).reshape(B, T, D))  # <-
