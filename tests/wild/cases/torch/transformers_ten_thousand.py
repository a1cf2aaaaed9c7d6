# exercise: scaled_dot_product_attention
# bugs: mask-fill-too-small
# source: huggingface/transformers#17306

def scaled_dot_product_attention(Q, K, V, mask=None):
    attn_weights = torch.matmul(Q, K.transpose(-1, -2)) / K.shape[-1] ** 0.5
    if mask is not None:
        allowed = mask if mask.dtype == torch.bool else mask == 0
        extended = (1.0 - allowed.to(Q.dtype)) * -1e4  # <-
        attn_weights = attn_weights + extended  # <-
    attn_weights = torch.softmax(attn_weights, dim=-1)
    return torch.matmul(attn_weights, V), attn_weights
