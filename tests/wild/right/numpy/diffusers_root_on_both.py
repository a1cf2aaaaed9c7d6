# exercise: attention_scores
# right: a quarter power of d_k on each side
# source: huggingface/diffusers#929

def attention_scores(Q, K, d_k):
    scale = 1 / math.sqrt(math.sqrt(d_k))
    return np.matmul(Q * scale, np.swapaxes(K * scale, -1, -2))
