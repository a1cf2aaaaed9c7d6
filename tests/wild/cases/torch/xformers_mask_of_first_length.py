# exercise: SelfAttention
# bugs: causal-length-frozen
# source: facebookresearch/xformers#655

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.mask = None
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if causal:
            if self.mask is None:  # <-
                self.mask = causal_mask(q.shape[-2])  # <-
            scores = scores + self.mask  # <-
        return self.W_o(scores.softmax(dim=-1) @ v)
