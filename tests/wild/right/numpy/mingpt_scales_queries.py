# exercise: SelfAttention
# right: the root divides the queries, all three come of one product
# source: karpathy/minGPT#55

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def forward(self, x, causal=True):
        width = x.shape[-1]
        q, k, v = np.split(x @ np.hstack([self.W_q, self.W_k, self.W_v]), 3, axis=-1)
        att = (q / np.sqrt(width)) @ k.swapaxes(-1, -2)
        if causal:
            att[..., np.tril(np.ones((x.shape[-2],) * 2)) == 0] = -np.inf
        return softmax(att) @ v @ self.W_o
