# exercise: MultiHeadAttention
# bugs: scale-after-softmax
# source: FrancescoSaverioZuppichini/ViT#2

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.causal = num_heads, causal
        self.scaling = (d_model // num_heads) ** -0.5
        self.W_k = nn.Linear(d_model, d_model)
        self.W_q = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, N, E = x.shape
        q, k, v = (
            layer(x).view(B, N, self.num_heads, -1).permute(0, 2, 1, 3)
            for layer in (self.W_q, self.W_k, self.W_v)
        )
        energy = torch.einsum("bhqd,bhkd->bhqk", q, k)
        if self.causal:
            energy = energy + causal_mask(N)
        att = F.softmax(energy, dim=-1) * self.scaling  # <-
        out = torch.einsum("bhal,bhlv->bhav", att, v)
        return self.W_o(out.permute(0, 2, 1, 3).reshape(B, N, E))
