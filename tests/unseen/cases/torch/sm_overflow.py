# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = scores.exp()  # <-
    return e / e.sum(dim=-1, keepdim=True)
