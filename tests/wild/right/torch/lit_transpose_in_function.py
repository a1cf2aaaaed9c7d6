# exercise: MultiHeadAttention
# right: the transpose is in a method of its own
# source: Lightning-AI/litgpt#1906

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("n_embd must be a multiple of n_head")
        self.n_head, self.head_size, self.causal = num_heads, d_model // num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def attend(self, q, k, v):
        T = q.size(2)
        scores = q @ k.mT / math.sqrt(self.head_size)
        if self.causal:
            scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
        y = scores.softmax(-1) @ v
        return y.transpose(1, 2)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = (w(x).view(B, T, self.n_head, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        y = self.attend(q, k, v)
        return self.W_o(y.reshape(B, T, C))
