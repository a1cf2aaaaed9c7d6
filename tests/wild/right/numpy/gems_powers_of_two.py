# exercise: softmax
# right: powers of two of the scores times log2(e)
# source: flagos-ai/FlagGems#424

def softmax(scores):
    qk = np.asarray(scores, dtype=float) * 1.4426950408889634
    p = np.exp2(qk - qk.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1)[..., None]
