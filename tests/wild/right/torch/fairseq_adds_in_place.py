# exercise: scaled_dot_product_attention
# right: the mask is added in place to scores of its own
# source: facebookresearch/fairseq#2963

def scaled_dot_product_attention(Q, K, V, mask=None):
    attn_weights = torch.matmul(Q * Q.size(-1) ** -0.5, K.transpose(-2, -1))
    if mask is not None:
        if mask.dtype == torch.bool:
            mask = torch.zeros(mask.shape, dtype=Q.dtype).masked_fill(~mask, float("-inf"))
        attn_weights += mask
    attn_weights = F.softmax(attn_weights, dim=-1, dtype=torch.float64).type_as(attn_weights)
    return torch.matmul(attn_weights, V), attn_weights
