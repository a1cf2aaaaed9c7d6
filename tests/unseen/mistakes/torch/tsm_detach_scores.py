# exercise: softmax
# bugs: graph-detached

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores.detach() - m)  # <-
    return e / e.sum(dim=-1, keepdim=True)
