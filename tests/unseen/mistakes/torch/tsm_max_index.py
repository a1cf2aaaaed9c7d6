# exercise: softmax
# bugs: result-not-unpacked, unrecognised, softmax-overflow

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True)[1]  # <-
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1, keepdim=True)
