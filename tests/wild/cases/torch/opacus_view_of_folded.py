# exercise: MultiHeadAttention
# bugs: heads-merged-by-reshape
# source: meta-pytorch/opacus#825

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.causal = d_model, num_heads, causal
        self.head_dim = d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def fold(self, t):
        bsz, tgt_len, _ = t.shape
        t = t.view(bsz, tgt_len, self.num_heads, self.head_dim).transpose(1, 2)
        return t.reshape(bsz * self.num_heads, tgt_len, self.head_dim)

    def forward(self, x):
        bsz, tgt_len, embed_dim = x.shape
        q, k, v = self.fold(self.W_q(x)), self.fold(self.W_k(x)), self.fold(self.W_v(x))
        weights = torch.bmm(q * self.head_dim**-0.5, k.transpose(1, 2))
        if self.causal:
            weights = weights + causal_mask(tgt_len)
        attn_output = torch.bmm(F.softmax(weights, dim=-1), v)
        attn_output = attn_output.view(bsz, tgt_len, embed_dim)  # <-
        return self.W_o(attn_output)
