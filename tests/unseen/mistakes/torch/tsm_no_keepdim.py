# exercise: softmax
# bugs: softmax-no-keepdims

def softmax(scores):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1)  # <-
