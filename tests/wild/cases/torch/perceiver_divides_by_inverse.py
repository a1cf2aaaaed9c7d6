# exercise: MultiHeadAttention
# bugs: scale-multiplied
# source: esceptico/perceiver-io#9

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("channels must be divisible by heads")
        self.num_heads = num_heads
        self.qk_head_dim = d_model // num_heads
        self.scale = self.qk_head_dim**-0.5
        self.causal = causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def split(self, y):
        return y.reshape(*y.shape[:2], self.num_heads, self.qk_head_dim).transpose(2, 1)

    def forward(self, x):
        q, k, v = map(self.split, (self.W_q(x), self.W_k(x), self.W_v(x)))
        scores = q @ k.transpose(-2, -1) / self.scale  # <-
        if self.causal:
            scores = scores + causal_mask(x.shape[1])
        weighted = scores.softmax(dim=-1) @ v
        return self.W_o(weighted.transpose(1, 2).flatten(2))
