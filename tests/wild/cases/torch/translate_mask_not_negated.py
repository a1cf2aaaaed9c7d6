# exercise: SelfAttention
# bugs: causal-inverted
# source: hkproj/pytorch-transformer#19

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, causal=True):
        size = x.size(-2)
        scores = self.W_q(x) @ self.W_k(x).transpose(-2, -1) / math.sqrt(x.size(-1))
        if causal:
            decoder_mask = torch.triu(torch.ones(size, size), diagonal=1).int()  # <-
            scores = scores.masked_fill(decoder_mask == 0, -1e9)  # <-
        return self.W_o(scores.softmax(dim=-1) @ self.W_v(x))
