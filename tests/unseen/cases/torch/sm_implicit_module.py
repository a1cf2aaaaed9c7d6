# exercise: softmax
# bugs: softmax-implicit-dim

def softmax(scores):
    return nn.Softmax()(scores)  # <-
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1, keepdim=True)
