# exercise: softmax
# bugs: unrecognised
# source: localminimum/R-net#8

def softmax(scores):
    logits = scores.unsqueeze(-1)  # <-
    return torch.softmax(logits, dim=-1).squeeze(-1)  # <-
