# exercise: MultiHeadAttention
# bugs: heads-split-and-merged-by-reshape
# source: 649453932/Chinese-Text-Classification-Pytorch#53

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.heads = num_heads
        self.width = d_model // num_heads
        self.causal = causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        rows = x.size(0)
        folded = []
        for layer in (self.W_q, self.W_k, self.W_v):
            folded.append(layer(x).view(rows * self.heads, -1, self.width))  # <-
        hidden = causal_mask(x.size(1)) if self.causal else None
        context, _ = scaled_dot_product_attention(*folded, hidden)
        context = context.view(rows, -1, self.width * self.heads)  # <-
        return self.W_o(context)
