# exercise: softmax
# bugs: softmax-no-keepdims

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1)  # <-
