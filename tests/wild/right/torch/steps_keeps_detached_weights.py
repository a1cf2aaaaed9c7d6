# exercise: MultiHeadAttention
# right: the weights are detached only where they are kept for a look
# source: dvgodoy/PyTorchStepByStep#23

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("n_heads must divide d_model")
        self.n_heads, self.causal, self.alphas = num_heads, causal, None
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        n, length, width = x.shape
        proj_q, proj_k, proj_v = (
            w(x).view(n, length, self.n_heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v)
        )
        mask = causal_mask(length) if self.causal else None
        context, alphas = scaled_dot_product_attention(proj_q, proj_k, proj_v, mask)
        self.alphas = alphas.detach()
        return self.W_o(context.transpose(1, 2).contiguous().view(n, length, width))
