# exercise: SelfAttention
# bugs: mask-after-softmax
# source: lucidrains/memory-compressed-attention#2

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.scale = d_model**-0.5
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True):
        n = x.shape[-2]
        dots = torch.einsum("...id,...jd->...ij", self.W_q(x), self.W_k(x)) * self.scale
        attn = dots.softmax(dim=-1)
        if causal:
            future = torch.ones(n, n, dtype=torch.bool).triu(1)
            attn = attn.masked_fill(future, 0.0)  # <-
        return self.W_o(attn @ self.W_v(x))
