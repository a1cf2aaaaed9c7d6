# exercise: apply_attention
# bugs: graph-detached

def apply_attention(weights, V):
    return torch.matmul(weights.detach(), V)  # <-
