# exercise: apply_attention
# bugs: state-between-calls

_out = {}


def apply_attention(weights, V):
    out = _out.setdefault((weights.shape, V.shape), np.zeros((*weights.shape[:-1], V.shape[-1])))  # <-
    out += weights @ V  # <-
    return out.copy()
