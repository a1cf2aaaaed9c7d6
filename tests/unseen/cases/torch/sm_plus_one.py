# exercise: softmax
# bugs: softmax-plus-one

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / (1 + e.sum(dim=-1, keepdim=True))  # <-
