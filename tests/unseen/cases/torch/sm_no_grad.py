# exercise: softmax
# bugs: graph-detached

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    with torch.no_grad():  # <-
        e = torch.exp(scores - m)  # <-
    return e / e.sum(dim=-1, keepdim=True)
