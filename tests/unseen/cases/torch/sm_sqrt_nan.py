# exercise: softmax
# bugs: gradient-nan

def softmax(scores):
    z = scores - scores.amax(dim=-1, keepdim=True)
    e = torch.exp(-torch.sqrt(z * z))  # <-
    return e / e.sum(dim=-1, keepdim=True)
