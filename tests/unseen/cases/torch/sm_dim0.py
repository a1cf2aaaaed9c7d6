# exercise: softmax
# bugs: softmax-over-batch

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(dim=0, keepdim=True)  # <-
