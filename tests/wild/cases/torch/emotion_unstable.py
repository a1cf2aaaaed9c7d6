# exercise: softmax
# bugs: softmax-overflow
# source: IBM/MAX-Facial-Emotion-Classifier#12

def softmax(scores):
    powers = torch.exp(scores)  # <-
    return powers / torch.sum(powers, dim=-1, keepdim=True)
