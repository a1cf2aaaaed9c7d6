# exercise: MultiHeadAttention
# bugs: heads-projection-shared
# source: MarcoMeter/episodic-transformer-memory-ppo#22

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.head_size, self.causal = num_heads, d_model // num_heads, causal
        self.W_v = nn.Linear(self.head_size, self.head_size, bias=False)  # <-
        self.W_k = nn.Linear(self.head_size, self.head_size, bias=False)  # <-
        self.W_q = nn.Linear(self.head_size, self.head_size, bias=False)  # <-
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        N, T, D = x.shape
        parts = x.reshape(N, T, self.num_heads, self.head_size)
        q, k, v = self.W_q(parts), self.W_k(parts), self.W_v(parts)  # <-
        energy = torch.einsum("nqhd,nkhd->nhqk", q, k) / self.head_size**0.5
        if self.causal:
            energy = energy + causal_mask(T)
        out = torch.einsum("nhql,nlhd->nqhd", torch.softmax(energy, dim=3), v)
        return self.W_o(out.reshape(N, T, D))
