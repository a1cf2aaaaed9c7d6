# exercise: MultiHeadAttention
# bugs: output-projection-missing
# source: jwallbridge/translob#4

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.n, self.causal = num_heads, causal
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, D = x.shape
        qkv = torch.stack([w(x) for w in (self.W_q, self.W_k, self.W_v)])
        q, k, v = qkv.view(3, B, T, self.n, D // self.n).transpose(2, 3).unbind(0)
        out, _ = scaled_dot_product_attention(q, k, v, causal_mask(T) if self.causal else None)
        merged = out.transpose(1, 2).reshape(B, T, D)
        return merged  # <-
