# exercise: apply_attention
# bugs: squeeze-drops-axes

def apply_attention(weights, V):
    return torch.matmul(weights, V).squeeze()  # <-
