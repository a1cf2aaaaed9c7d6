# exercise: softmax
# bugs: precision-lost

def softmax(scores):
    x = scores.half()  # <-
    e = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return (e / e.sum(dim=-1, keepdim=True)).to(scores.dtype)
