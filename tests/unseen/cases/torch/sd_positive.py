# exercise: scaled_dot_product_attention
# bugs: mask-fill-positive

def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        if mask.dtype == torch.bool:
            scores = scores.masked_fill(~mask, float("inf"))  # <-
        else:
            scores = scores + mask
    attn = F.softmax(scores, dim=-1)
    output = torch.matmul(attn, V)
    return output, attn
