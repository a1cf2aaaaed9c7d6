# exercise: apply_attention
# bugs: softmax-twice

def apply_attention(weights, V):
    weights = softmax(weights)  # <-
    return weights @ V
