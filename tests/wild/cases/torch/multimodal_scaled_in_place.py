# exercise: SelfAttention
# bugs: inplace-breaks-graph, raises
# source: yaohungt/Multimodal-Transformer#30

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.scaling = d_model**-0.5
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True):
        together = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
        q, k, v = F.linear(x, together).chunk(3, dim=-1)
        q *= self.scaling  # <-
        scores = q @ k.transpose(-1, -2)
        if causal:
            scores = scores + causal_mask(x.shape[-2])
        return self.W_o(scores.softmax(-1) @ v)
