# exercise: apply_attention
# bugs: raises

def apply_attention(weights, V):
    return torch.bmm(weights, V)  # <-
