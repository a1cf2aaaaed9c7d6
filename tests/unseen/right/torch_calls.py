# Every later exercise calls the earlier ones; layers with a bias.


def softmax(scores):
    return torch.softmax(scores, dim=-1)


def attention_scores(Q, K, d_k):
    return Q @ K.transpose(-2, -1) / math.sqrt(d_k)


def causal_mask(seq_len):
    return torch.triu(torch.full((seq_len, seq_len), float("-inf")), diagonal=1)


def apply_attention(weights, V):
    return weights @ V


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9) if mask.dtype == torch.bool else scores + mask
    weights = softmax(scores)
    return apply_attention(weights, V), weights


class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True):
        mask = causal_mask(x.size(-2)) if causal else None
        out, _ = scaled_dot_product_attention(self.W_q(x), self.W_k(x), self.W_v(x), mask)
        return self.W_o(out)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads, self.causal = num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def split(self, t):
        B, T, D = t.shape
        return t.view(B, T, self.num_heads, D // self.num_heads).transpose(1, 2)

    def forward(self, x):
        mask = causal_mask(x.size(1)) if self.causal else None
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.W_o(out.transpose(1, 2).contiguous().view(x.shape))
