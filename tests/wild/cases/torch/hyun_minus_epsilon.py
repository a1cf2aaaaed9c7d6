# exercise: scaled_dot_product_attention
# bugs: mask-fill-tiny
# source: hyunwoongko/transformer#10

def scaled_dot_product_attention(Q, K, V, mask=None, e=1e-12):
    score = (Q @ K.transpose(-2, -1)) / math.sqrt(Q.size(-1))
    if mask is not None:
        if mask.dtype != torch.bool:
            mask = mask == 0
        score = score.masked_fill(mask == 0, -e)  # <-
    score = nn.Softmax(dim=-1)(score)
    return score @ V, score
