# exercise: MultiHeadAttention
# bugs: scale-twice, scale-no-sqrt
# source: huggingface/transformers#38290

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.scaling = self.head_dim**-0.5
        self.causal = causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        bsz, tgt_len, width = x.shape
        query_states = self.W_q(x) * self.scaling  # <-
        shape = (bsz, -1, self.num_heads, self.head_dim)
        query_states = query_states.view(shape).transpose(1, 2)
        key_states = self.W_k(x).view(shape).transpose(1, 2)
        value_states = self.W_v(x).view(shape).transpose(1, 2)
        mask = causal_mask(tgt_len) if self.causal else None
        out, _ = scaled_dot_product_attention(query_states, key_states, value_states, mask)  # <-
        return self.W_o(out.transpose(1, 2).reshape(bsz, tgt_len, width))
