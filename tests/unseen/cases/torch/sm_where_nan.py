# exercise: softmax
# bugs: gradient-nan

def softmax(scores):
    z = scores - scores.amax(dim=-1, keepdim=True)
    risky = torch.where(z < 0, z, z / z * 0)  # <-
    e = torch.exp(torch.nan_to_num(risky))
    return e / e.sum(dim=-1, keepdim=True)
