# exercise: scaled_dot_product_attention
# bugs: softmax-axis-hard-coded, softmax-over-queries
# source: datawhalechina/llms-from-scratch-cn#54

def scaled_dot_product_attention(Q, K, V, mask=None):
    attn_scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        if mask.dtype == torch.bool:
            attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
        else:
            attn_scores = attn_scores + mask
    attn_weights = torch.softmax(attn_scores / K.shape[-1] ** 0.5, dim=1)  # <-
    context = attn_weights @ V
    return context, attn_weights
