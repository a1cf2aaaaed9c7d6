# exercise: softmax
# bugs: graph-detached, raises

def softmax(scores):
    scores = torch.tensor(scores.tolist())  # <-
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1, keepdim=True)
