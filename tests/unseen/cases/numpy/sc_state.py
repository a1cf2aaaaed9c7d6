# exercise: attention_scores
# bugs: state-between-calls

_buffers = {}


def attention_scores(Q, K, d_k):
    shape = (*Q.shape[:-1], K.shape[-2])
    out = _buffers.setdefault(shape, np.zeros(shape))  # <-
    out += Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)  # <-
    return out.copy()
