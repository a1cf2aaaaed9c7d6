# exercise: softmax
# bugs: graph-detached

def softmax(scores):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    total = e.sum(dim=-1, keepdim=True).detach()  # <-
    return e / total
