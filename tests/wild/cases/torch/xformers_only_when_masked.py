# exercise: SelfAttention
# bugs: causal-only-with-mask, causal-missing
# source: facebookresearch/xformers#103

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True, att_mask=None):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if att_mask is not None:  # <-
            if causal:
                att_mask = att_mask + causal_mask(x.shape[-2])
        y, _ = scaled_dot_product_attention(q, k, v, att_mask)
        return self.W_o(y)
