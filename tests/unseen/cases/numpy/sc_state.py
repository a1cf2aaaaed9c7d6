# exercise: attention_scores
# bugs: state-between-calls

class _Scores:
    calls = 0


def attention_scores(Q, K, d_k):
    _Scores.calls += 1  # <-
    scale = math.sqrt(d_k) if _Scores.calls == 1 else d_k  # <-
    return Q @ np.swapaxes(K, -1, -2) / scale
