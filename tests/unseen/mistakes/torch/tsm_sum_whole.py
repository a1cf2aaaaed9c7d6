# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(scores):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return e / e.sum()  # <-
