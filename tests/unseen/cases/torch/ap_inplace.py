# exercise: SelfAttention
# bugs: inplace-breaks-graph, raises

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        s = q @ k.transpose(-2, -1) / x.size(-1) ** 0.5
        if causal:
            s = s + causal_mask(x.size(-2))
        w = torch.exp(s - s.amax(-1, keepdim=True).detach())
        w /= w.sum(-1, keepdim=True)  # <-
        w.exp_().log_()  # <-
        return self.W_o(w @ v)
