# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum()  # <-
