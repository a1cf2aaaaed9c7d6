# Every exercise stands alone; parameters and layers without a bias.


def softmax(scores):
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    exps = shifted.exp()
    return exps / exps.sum(dim=-1, keepdim=True)


def attention_scores(Q, K, d_k):
    return torch.einsum("...id,...jd->...ij", Q, K) * d_k**-0.5


def causal_mask(seq_len):
    keep = torch.tril(torch.ones(seq_len, seq_len, dtype=torch.bool))
    return torch.zeros(seq_len, seq_len).masked_fill(~keep, -1e9)


def apply_attention(weights, V):
    return torch.einsum("...ij,...jd->...id", weights, V)


def scaled_dot_product_attention(Q, K, V, mask=None):
    att = torch.matmul(Q, K.transpose(-1, -2)) / Q.shape[-1] ** 0.5
    if mask is not None:
        if mask.dtype == torch.bool:
            att = att.masked_fill(mask == 0, float("-inf"))
        else:
            att = att + mask
    att = F.softmax(att, dim=-1)
    return torch.matmul(att, V), att


class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)
        self.W_k = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)
        self.W_v = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)
        self.W_o = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        att = q @ k.transpose(-2, -1) / x.size(-1) ** 0.5
        if causal:
            T = x.size(-2)
            att = att.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
        return F.softmax(att, dim=-1) @ v @ self.W_o


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.h, self.d_k, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, D = x.size()
        q = self.W_q(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        k = self.W_k(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * self.d_k**-0.5
        if self.causal:
            att = att.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        return self.W_o(y.transpose(1, 2).contiguous().view(B, T, D))
