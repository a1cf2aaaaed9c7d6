# exercise: scaled_dot_product_attention
# bugs: scale-missing

class _Attention:
    def __init__(self, queries, keys, values):
        self.queries, self.keys, self.values = queries, keys, values

    def logits(self):
        return np.einsum("...qc,...kc->...qk", self.queries, self.keys)  # <-

    def __call__(self, mask):
        z = self.logits()
        if mask is not None:
            z = np.where(mask, z, -np.inf) if mask.dtype == bool else z + mask
        z = np.exp(z - np.max(z, axis=-1, keepdims=True))
        z /= z.sum(-1)[..., None]
        return z @ self.values, z


def scaled_dot_product_attention(Q, K, V, mask=None):
    return _Attention(Q, K, V)(mask)
