# exercise: MultiHeadAttention
# bugs: dropout-in-eval
# source: meta-pytorch/torchtune#1791

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True, attn_dropout=0.2):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.causal, self.attn_dropout = num_heads, causal, attn_dropout
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, s, d = x.shape
        q, k, v = (w(x).view(b, s, self.num_heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        if self.causal:
            scores = scores + causal_mask(s)
        weights = F.dropout(scores.softmax(-1), p=self.attn_dropout)  # <-
        return self.W_o((weights @ v).transpose(1, 2).reshape(b, s, d))
