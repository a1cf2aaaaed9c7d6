# exercise: SelfAttention
# pair: causal-strict, scale-no-sqrt

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, causal=True):
        T = x.size(-2)
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = torch.matmul(q, k.transpose(-2, -1)) / self.d_model  # <-
        if causal:
            mask = torch.tril(torch.ones(T, T, device=x.device), diagonal=-1)  # <-
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        out = torch.matmul(weights, v)
        return self.W_o(out)
