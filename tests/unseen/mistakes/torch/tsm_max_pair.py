# exercise: softmax
# bugs: raises, result-not-unpacked

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True)  # <-
    e = torch.exp(scores - m)  # <-
    return e / e.sum(dim=-1, keepdim=True)
