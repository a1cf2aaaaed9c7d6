# exercise: scaled_dot_product_attention
# bugs: state-between-calls

_last = {}


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    if s.shape in _last:  # <-
        s = 0.5 * (s + _last[s.shape])  # <-
    _last[s.shape] = s  # <-
    w = softmax(s)
    return w @ V, w
