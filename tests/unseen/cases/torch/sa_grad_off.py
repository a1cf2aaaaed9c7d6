# exercise: SelfAttention
# bugs: graph-detached

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    @torch.no_grad()  # <-
    def attend(self, q, k, v, causal):
        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if causal:
            s = s + causal_mask(q.size(-2))
        return s.softmax(-1) @ v

    def forward(self, x, causal=True):
        return self.W_o(self.attend(self.W_q(x), self.W_k(x), self.W_v(x), causal))
