# exercise: MultiHeadAttention
# bugs: causal-buffer-broadcasts, causal-missing
# source: facebookresearch/xformers#1135

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("heads")
        self.h, self.causal = num_heads, causal
        self.register_buffer("pattern", causal_mask(1))  # <-
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(D // self.h)
        if self.causal:
            scores = scores + self.pattern  # <-
        out = torch.softmax(scores, dim=-1) @ v
        return self.W_o(out.transpose(1, 2).reshape(B, T, D))
