# exercise: MultiHeadAttention
# bugs: scale-by-d-model
# source: omihub777/ViT-CIFAR#11

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {d_model}")
        self.head, self.feats, self.causal = num_heads, d_model, causal
        self.root = self.feats**0.5  # <-
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, n, f = x.size()
        q = self.W_q(x).view(b, n, self.head, f // self.head).transpose(1, 2)
        k = self.W_k(x).view(b, n, self.head, f // self.head).transpose(1, 2)
        v = self.W_v(x).view(b, n, self.head, f // self.head).transpose(1, 2)
        score = torch.einsum("bhif,bhjf->bhij", q, k) / self.root  # <-
        if self.causal:
            score = score + causal_mask(n)
        attn = torch.einsum("bhij,bhjf->bihf", F.softmax(score, dim=-1), v)
        return self.W_o(attn.flatten(2))
