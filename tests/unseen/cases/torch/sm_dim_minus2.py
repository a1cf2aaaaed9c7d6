# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    return scores.softmax(-2)  # <-
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1, keepdim=True)
