# exercise: SelfAttention
# right: filled in place with infinity, scaled afterwards
# source: rasbt/LLMs-from-scratch#60

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.register_buffer("mask", torch.triu(torch.ones(64, 64), diagonal=1))

    def forward(self, x, causal=True):
        num_tokens = x.shape[-2]
        keys, queries, values = self.W_k(x), self.W_q(x), self.W_v(x)
        attn_scores = queries @ keys.transpose(-2, -1)
        if causal:
            attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return self.W_o(attn_weights @ values)
