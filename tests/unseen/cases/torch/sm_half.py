# exercise: softmax
# bugs: precision-lost

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp((scores - m).half())  # <-
    return e / e.sum(dim=-1, keepdim=True)
