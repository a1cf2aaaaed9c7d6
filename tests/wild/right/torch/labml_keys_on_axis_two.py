# exercise: MultiHeadAttention
# right: a layout in which axis 2 holds the keys
# source: labmlai/annotated_deep_learning_paper_implementations#216

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("heads must divide d_model")
        self.heads, self.d_k, self.causal = num_heads, d_model // num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.softmax = nn.Softmax(dim=2)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (w(x).view(b, t, self.heads, self.d_k) for w in (self.W_q, self.W_k, self.W_v))
        scores = torch.einsum("bihd,bjhd->bijh", q, k) / math.sqrt(self.d_k)
        if self.causal:
            future = torch.ones(t, t).triu(1).bool()
            scores = scores.masked_fill(future[None, :, :, None], float("-inf"))
        out = torch.einsum("bijh,bjhd->bihd", self.softmax(scores), v)
        return self.W_o(out.reshape(b, t, -1))
