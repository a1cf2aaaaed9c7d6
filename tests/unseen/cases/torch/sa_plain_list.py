# exercise: SelfAttention
# bugs: parameters-unregistered

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
        self.layers = [nn.Linear(d_model, d_model, bias=False) for _ in range(4)]  # <-

    W_q = property(lambda self: self.layers[0])
    W_k = property(lambda self: self.layers[1])
    W_v = property(lambda self: self.layers[2])
    W_o = property(lambda self: self.layers[3])

    def forward(self, x, causal=True):
        T = x.size(-2)
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_model)
        if causal:
            mask = torch.tril(torch.ones(T, T, device=x.device))
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        out = torch.matmul(weights, v)
        return self.W_o(out)
