# exercise: MultiHeadAttention
# bugs: scale-by-d-model
# source: Graylab/DL4Proteins-notebooks#12

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("n_embd must split evenly")
        self.n_head = num_heads
        self.causal = causal
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_model, d_model, bias=False) for _ in "qkv"]
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        outs = []
        for q, k, v in zip(*(w(x).chunk(self.n_head, -1) for w in (self.W_q, self.W_k, self.W_v))):
            wei = q @ k.transpose(-2, -1) * C**-0.5  # <-
            if self.causal:
                wei = wei.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf"))
            outs.append(F.softmax(wei, dim=-1) @ v)
        return self.W_o(torch.cat(outs, dim=-1))
