# exercise: MultiHeadAttention
# bugs: softmax-over-queries
# source: labmlai/annotated_deep_learning_paper_implementations#146

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("heads must divide the width")
        self.shape = (num_heads, d_model // num_heads)
        self.causal = causal
        self.W_q, self.W_k = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.W_v, self.W_o = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_q(x).unflatten(-1, self.shape)
        k = self.W_k(x).unflatten(-1, self.shape)
        v = self.W_v(x).unflatten(-1, self.shape)
        attn = torch.einsum("bihd,bjhd->bijh", q, k) * self.shape[1] ** -0.5
        if self.causal:
            attn = attn + causal_mask(t)[None, :, :, None]
        attn = attn.softmax(dim=1)  # <-
        res = torch.einsum("bijh,bjhd->bihd", attn, v)
        return self.W_o(res.flatten(2))
