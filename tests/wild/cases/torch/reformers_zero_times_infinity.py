# exercise: scaled_dot_product_attention
# bugs: mask-zero-times-inf
# source: cerebroai/reformers#3

def scaled_dot_product_attention(Q, K, V, mask=None):
    dots = torch.einsum("...id,...jd->...ij", Q, K) * Q.size(-1) ** -0.5
    if mask is not None:
        open_ = (mask if mask.dtype == torch.bool else mask == 0).to(dots.dtype)
        dots = dots * open_ + (1 - open_) * float("-inf")  # <-
    weights = torch.softmax(dots, dim=-1)
    return torch.einsum("...ij,...jd->...id", weights, V), weights
