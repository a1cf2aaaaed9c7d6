# exercise: MultiHeadAttention
# right: heads outermost, and unfolded in the same order
# source: jadore801120/attention-is-all-you-need-pytorch#120

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.n, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (
            w(x).view(b, t, self.n, d // self.n).permute(2, 0, 1, 3).contiguous().view(-1, t, d // self.n)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        a = torch.bmm(q, k.transpose(1, 2)) / (d // self.n) ** 0.5
        if self.causal:
            a = a + torch.full((t, t), -1e9).triu(1)
        y = torch.bmm(a.softmax(2), v).view(self.n, b, t, d // self.n)
        return self.W_o(y.permute(1, 2, 0, 3).contiguous().view(b, t, -1))
