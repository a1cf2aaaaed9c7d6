# exercise: softmax
# bugs: input-mutated, inplace-breaks-graph, raises

def softmax(scores):
    scores.sub_(scores.max(dim=-1, keepdim=True).values)  # <-
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(dim=-1, keepdim=True)
