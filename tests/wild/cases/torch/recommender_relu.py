# exercise: MultiHeadAttention
# bugs: projection-activation
# source: DeepGraphLearning/RecommenderSystems#21

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.causal = num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        size = x.size(-1) // self.num_heads
        Q = F.relu(self.W_q(x))  # <-
        K = F.relu(self.W_k(x))  # <-
        V = F.relu(self.W_v(x))  # <-
        Q, K, V = (torch.stack(t.split(size, dim=-1), dim=1) for t in (Q, K, V))
        out, _ = scaled_dot_product_attention(Q, K, V, causal_mask(x.size(1)) if self.causal else None)
        return self.W_o(torch.cat(out.unbind(dim=1), dim=-1))
