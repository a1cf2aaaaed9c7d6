# exercise: attention_scores
# bugs: graph-detached

def attention_scores(Q, K, d_k):
    with torch.no_grad():  # <-
        scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)  # <-
    return scores
