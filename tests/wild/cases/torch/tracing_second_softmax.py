# exercise: scaled_dot_product_attention
# bugs: softmax-twice
# source: zyy-2001/DisKT#6

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e32) if mask.dtype == torch.bool else scores + mask
    scores = F.softmax(scores, dim=-1)
    scores = F.softmax(scores, dim=-1)  # <-
    return torch.matmul(scores, V), scores
