# exercise: MultiHeadAttention
# bugs: scale-by-d-model
# source: FrancescoSaverioZuppichini/ViT#1

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("emb_size has to be divisible by num_heads")
        self.emb_size, self.num_heads, self.causal = d_model, num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) / d_model**0.5

    def forward(self, x):
        b, n, e = x.shape
        size = (b, n, self.num_heads, e // self.num_heads)
        queries = (x @ self.W_q).reshape(size)
        keys = (x @ self.W_k).reshape(size)
        values = (x @ self.W_v).reshape(size)
        energy = np.einsum("bqhd,bkhd->bhqk", queries, keys)
        if self.causal:
            energy = energy + causal_mask(n)
        scaling = self.emb_size ** (1 / 2)  # <-
        att = softmax(energy / scaling)  # <-
        out = np.einsum("bhqk,bkhd->bqhd", att, values).reshape(b, n, e)
        return out @ self.W_o
