# exercise: attention_scores
# bugs: squeeze-drops-axes
# source: allenai/allennlp#3599

def attention_scores(Q, K, d_k):
    combined = np.matmul(Q, np.swapaxes(K, -1, -2))
    if combined.shape[-1] == 1:
        combined = combined.squeeze(-1)  # <-
    return combined / np.sqrt(d_k)
