# exercise: apply_attention
# bugs: weights-transposed, raises

def apply_attention(weights, V):
    return torch.matmul(weights.transpose(-2, -1), V)  # <-
