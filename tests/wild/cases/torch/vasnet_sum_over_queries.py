# exercise: SelfAttention
# bugs: weights-transposed
# source: ok1zjf/VASNet#25

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, causal=True):
        Q = self.W_q(x) * x.size(-1) ** -0.5
        logits = torch.matmul(Q, self.W_k(x).transpose(-1, -2))
        if causal:
            logits = logits + causal_mask(x.size(-2))
        weights = F.softmax(logits, dim=-1)
        y = torch.matmul(self.W_v(x).transpose(-1, -2), weights).transpose(-1, -2)  # <-
        return self.W_o(y)
