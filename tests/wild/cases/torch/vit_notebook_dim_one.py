# exercise: SelfAttention
# bugs: softmax-axis-hard-coded, softmax-over-queries
# source: nerminnuraydogan/vision-transformer#1

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.dim = d_model
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x, causal=True):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        attention = torch.matmul(q, k.transpose(-1, -2)) / self.dim**0.5
        if causal:
            attention = attention + causal_mask(x.size(-2))
        attention = F.softmax(attention, dim=1)  # <-
        return self.W_o(torch.matmul(attention, v))
