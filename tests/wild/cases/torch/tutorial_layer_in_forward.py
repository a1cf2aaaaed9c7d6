# exercise: MultiHeadAttention
# bugs: layer-made-in-forward
# source: graykode/nlp-tutorial#29

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.n_heads, self.causal, self.d_model = num_heads, causal, d_model
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        batch, length, _ = x.shape
        q_s = self.W_q(x).view(batch, length, self.n_heads, -1).transpose(1, 2)
        k_s = self.W_k(x).view(batch, length, self.n_heads, -1).transpose(1, 2)
        v_s = self.W_v(x).view(batch, length, self.n_heads, -1).transpose(1, 2)
        context, _ = scaled_dot_product_attention(q_s, k_s, v_s, causal_mask(length) if self.causal else None)
        context = context.transpose(1, 2).reshape(batch, length, self.d_model)
        return nn.Linear(self.d_model, self.d_model)(context)  # <-
