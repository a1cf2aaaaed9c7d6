# exercise: scaled_dot_product_attention
# bugs: softmax-over-batch, softmax-over-queries
# source: PetrochukM/PyTorch-NLP#2

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-1, -2)).div(math.sqrt(Q.size(-1)))
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9) if mask.dtype == torch.bool else scores + mask
    normalise = nn.Softmax(dim=0)  # <-
    weights = normalise(scores)  # <-
    return weights.matmul(V), weights
