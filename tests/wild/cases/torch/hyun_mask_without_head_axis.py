# exercise: scaled_dot_product_attention
# bugs: mask-batch-axis-on-heads
# source: hyunwoongko/transformer#32

def scaled_dot_product_attention(Q, K, V, mask=None):
    score = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    if mask is not None:
        if mask.dim() == 4:
            mask = mask.squeeze(1)  # <-
        if mask.dtype == torch.bool:
            score = score.masked_fill(mask == 0, -1e9)
        else:
            score = score + mask
    score = torch.softmax(score, dim=-1)
    return score @ V, score
