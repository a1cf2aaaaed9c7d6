# exercise: MultiHeadAttention
# bugs: raises
# source: Kamichanw/SeekDeeper#9

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.n_heads, self.causal = num_heads, causal
        self.all_head_size = d_model
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        bsz, length, _ = x.shape
        q, k, v = (w(x).view(bsz, length, self.n_heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        y, att = scaled_dot_product_attention(q, k, v, causal_mask(length) if self.causal else None)
        y = att.transpose(1, 2).contiguous().view(bsz, -1, self.all_head_size)  # <-
        return self.W_o(y)  # <-
