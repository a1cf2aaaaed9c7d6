# exercise: apply_attention
# bugs: attention-across-batch

def apply_attention(weights, V):
    flat = V.reshape(-1, *V.shape[-2:])  # <-
    return weights @ flat.mean(axis=0)  # <-
