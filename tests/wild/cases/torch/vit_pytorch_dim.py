# exercise: MultiHeadAttention
# bugs: scale-by-d-model
# source: lucidrains/vit-pytorch#65

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("dim has to be a multiple of heads")
        self.heads, self.causal = num_heads, causal
        self.scale = d_model**-0.5  # <-
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, n, d = x.shape
        qkv = torch.cat([self.W_q(x), self.W_k(x), self.W_v(x)], dim=-1)
        q, k, v = qkv.view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        dots = torch.einsum("bhid,bhjd->bhij", q, k) * self.scale  # <-
        if self.causal:
            dots = dots.masked_fill(torch.ones(n, n).triu(1) == 1, float("-inf"))
        out = torch.einsum("bhij,bhjd->bhid", dots.softmax(dim=-1), v)
        return self.W_o(out.transpose(1, 2).reshape(b, n, d))
