# exercise: SelfAttention
# bugs: causal-strict
# source: pbloem/former#10

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True):
        t, k = x.size(-2), x.size(-1)
        dot = torch.matmul(self.W_q(x), self.W_k(x).transpose(-1, -2)) / math.sqrt(k)
        if causal:
            rows, columns = torch.triu_indices(t, t, offset=0)  # <-
            dot[..., rows, columns] = float("-inf")  # <-
        return self.W_o(torch.matmul(F.softmax(dot, dim=-1), self.W_v(x)))
