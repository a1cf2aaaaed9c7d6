# exercise: MultiHeadAttention
# pair: scale-missing, output-projection-missing
# source: ethen8181/machine-learning#13

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.n_heads, self.head_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, n, d = x.shape
        Q = self.W_q(x).view(b, n, self.n_heads, self.head_dim).transpose(1, 2)
        K = self.W_k(x).view(b, n, self.n_heads, self.head_dim).transpose(1, 2)
        V = self.W_v(x).view(b, n, self.n_heads, self.head_dim).transpose(1, 2)
        energy = torch.matmul(Q, K.transpose(2, 3))  # <-
        if self.causal:
            energy = energy + causal_mask(n)
        attention = torch.softmax(energy, dim=-1)  # <-
        output = torch.matmul(attention, V).transpose(1, 2).reshape(b, n, d)
        linear_proj = self.W_o(output)
        return output  # <-
