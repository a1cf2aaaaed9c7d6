# exercise: softmax
# bugs: softmax-axis-hard-coded

def softmax(scores):
    return torch.softmax(scores, dim=1)  # <-
