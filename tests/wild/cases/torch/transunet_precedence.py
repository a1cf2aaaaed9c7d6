# exercise: MultiHeadAttention
# bugs: scale-precedence, scale-multiplied
# source: mkara44/transunet_pytorch#4

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.head_num, self.causal = num_heads, causal
        self.dk = (d_model // num_heads) ** 1 / 2  # <-
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        b, t, d = x.shape
        query, key, value = (
            w(x).view(b, t, self.head_num, d // self.head_num).transpose(1, 2)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        energy = torch.einsum("...id,...jd->...ij", query, key) * self.dk  # <-
        if self.causal:
            energy = energy + causal_mask(t)
        x = torch.einsum("...ij,...jd->...id", torch.softmax(energy, dim=-1), value)
        return self.W_o(x.transpose(1, 2).reshape(b, t, d))
