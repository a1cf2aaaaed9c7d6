# exercise: softmax
# bugs: input-mutated

def softmax(scores):
    scores.sub_(scores.amax(dim=-1, keepdim=True))  # <-
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True)
