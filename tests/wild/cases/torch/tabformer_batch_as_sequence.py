# exercise: MultiHeadAttention
# bugs: attention-across-batch
# source: IBM/TabFormer#14

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.heads, self.causal = num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        length, batch, width = x.shape  # <-
        q, k, v = (
            layer(x).view(length, batch, self.heads, -1).permute(1, 2, 0, 3)  # <-
            for layer in (self.W_q, self.W_k, self.W_v)
        )
        mask = causal_mask(length) if self.causal else None
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.W_o(out.permute(2, 0, 1, 3).reshape(length, batch, width))
