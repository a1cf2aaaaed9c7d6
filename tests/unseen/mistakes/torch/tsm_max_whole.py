# exercise: softmax
# bugs: softmax-global-max

def softmax(scores):
    e = torch.exp(scores - scores.max())  # <-
    return e / e.sum(dim=-1, keepdim=True)
