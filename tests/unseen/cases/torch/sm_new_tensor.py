# exercise: softmax
# bugs: graph-detached

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return torch.tensor((e / e.sum(dim=-1, keepdim=True)).data)  # <-
    return e / e.sum(dim=-1, keepdim=True)
