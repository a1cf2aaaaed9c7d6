# exercise: attention_scores
# bugs: scale-missing
# source: huggingface/blog#2893

def attention_scores(Q, K, d_k):
    scores = np.einsum("...td,...sd->...ts", Q, K)  # <-
    return scores  # <-
