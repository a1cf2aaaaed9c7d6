# exercise: apply_attention
# bugs: graph-detached

def apply_attention(weights, V):
    return torch.tensor((weights @ V).tolist(), dtype=V.dtype)  # <-
