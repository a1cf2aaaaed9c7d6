# exercise: SelfAttention
# bugs: mask-fill-positive
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
        if causal:
            future = torch.ones(n, n, dtype=torch.bool).triu(1)
            dots = dots.masked_fill(future, -float("-inf"))  # <-
        return self.W_o(dots.softmax(dim=-1) @ self.W_v(x))
