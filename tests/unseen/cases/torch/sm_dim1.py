# exercise: softmax
# bugs: softmax-axis-hard-coded

def softmax(scores):
    return torch.softmax(scores, dim=1)  # <-
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1, keepdim=True)
