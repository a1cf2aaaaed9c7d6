# exercise: attention_scores
# bugs: squeeze-drops-axes
# source: NVIDIA/tacotron2#303

def attention_scores(Q, K, d_k):
    energies = torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(d_k)
    return energies.squeeze()  # <-
