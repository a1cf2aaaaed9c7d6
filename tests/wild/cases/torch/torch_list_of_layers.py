# exercise: SelfAttention
# bugs: parameters-unregistered
# source: pytorch/pytorch#715

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.hids = []  # <-
        for _ in range(4):
            self.hids.append(nn.Linear(d_model, d_model))  # <-

    @property
    def W_q(self):
        return self.hids[0]

    @property
    def W_k(self):
        return self.hids[1]

    @property
    def W_v(self):
        return self.hids[2]

    @property
    def W_o(self):
        return self.hids[3]

    def forward(self, x, causal=True):
        q, k, v = (layer(x) for layer in self.hids[:3])
        out, _ = scaled_dot_product_attention(q, k, v, causal_mask(x.size(-2)) if causal else None)
        return self.hids[3](out)
