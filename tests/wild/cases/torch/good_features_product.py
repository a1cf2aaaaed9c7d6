# exercise: scaled_dot_product_attention
# bugs: mask-multiplied
# source: georg-wolflein/good-features#1

def scaled_dot_product_attention(Q, K, V, mask=None):
    a = torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(K.size(-1))
    if mask is not None:
        binary = mask if mask.dtype == torch.bool else mask >= 0
        a = a * binary  # <-
    a = torch.softmax(a, dim=-1)
    return torch.matmul(a, V), a
