# exercise: softmax
# bugs: softmax-max-from-zero

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values.clamp(min=0)  # <-
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1, keepdim=True)
