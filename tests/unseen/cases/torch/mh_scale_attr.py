# exercise: MultiHeadAttention
# bugs: scale-by-d-model

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.causal = causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def split_heads(self, t):
        B, T, _ = t.size()
        return t.view(B, T, self.num_heads, self.d_k).transpose(1, 2)

    def combine_heads(self, t):
        B, _, T, _ = t.size()
        return t.transpose(1, 2).contiguous().view(B, T, self.d_model)

    def forward(self, x):
        Q = self.split_heads(self.W_q(x))
        K = self.split_heads(self.W_k(x))
        V = self.split_heads(self.W_v(x))
        scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(x.size(-1))  # <-
        if self.causal:
            mask = torch.triu(torch.ones(x.size(1), x.size(1)), diagonal=1).bool()
            scores = scores.masked_fill(mask, float("-inf"))
        probs = torch.softmax(scores, dim=-1)
        output = torch.matmul(probs, V)
        return self.W_o(self.combine_heads(output))
