# attention_scores, value
def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b, strict=True)] for row in a]


def attention_scores(Q, K, d_k):
    product = [[sum(q[t] * K[t][j] for t in range(d_k)) for j in range(d_k)] for q in Q]  # here: keys-not-transposed
    return [[s / d_k**0.5 for s in row] for row in product]
