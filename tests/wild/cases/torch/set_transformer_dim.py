# exercise: MultiHeadAttention
# bugs: scale-by-d-model
# source: juho-lee/set_transformer#18

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads does not divide d_model")
        self.dim_V = d_model
        self.num_heads = num_heads
        self.causal = causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        split = self.dim_V // self.num_heads
        Q = torch.cat(self.W_q(x).split(split, 2), 0)
        K = torch.cat(self.W_k(x).split(split, 2), 0)
        V = torch.cat(self.W_v(x).split(split, 2), 0)
        S = Q.bmm(K.transpose(1, 2)) / math.sqrt(self.dim_V)  # <-
        if self.causal:
            S = S + causal_mask(x.size(1))
        A = torch.softmax(S, 2)
        O = torch.cat(A.bmm(V).split(x.size(0), 0), 2)
        return self.W_o(O)
