# exercise: softmax
# bugs: softmax-global-max

def softmax(scores):
    m = scores.max()  # <-
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1, keepdim=True)
