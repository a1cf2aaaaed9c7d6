# exercise: attention_scores
# bugs: gradient-wrong

def attention_scores(Q, K, d_k):
    def dot(q, k):
        data = sum(a.data * b.data for a, b in zip(q, k)) / math.sqrt(d_k)
        return Value(data, (*q, *k), tuple(b.data for b in k) + tuple(a.data for a in q))  # <-

    return [[dot(q, k) for k in K] for q in Q]
