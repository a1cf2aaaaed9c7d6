# exercise: SelfAttention
# right: triu marks what is blocked
# source: TransformerLensOrg/TransformerLens#284

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.register_buffer("IGNORE", torch.tensor(-torch.inf))
        for letter in "qkvo":
            self.add_module(f"W_{letter}", nn.Linear(d_model, d_model))

    def forward(self, x, causal=True):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        attn_scores = torch.einsum("...qd,...kd->...qk", q, k) / math.sqrt(q.size(-1))
        if causal:
            shape = attn_scores.size(-2), attn_scores.size(-1)
            blocked = torch.triu(torch.ones(shape), diagonal=1).bool()
            attn_scores = torch.where(blocked, self.IGNORE, attn_scores)
        return self.W_o(torch.einsum("...qk,...kd->...qd", attn_scores.softmax(-1), v))
