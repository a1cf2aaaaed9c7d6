# exercise: scaled_dot_product_attention
# bugs: uses-built-in-attention

def scaled_dot_product_attention(Q, K, V, mask=None):
    out = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)  # <-
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, -1e9) if mask.dtype == torch.bool else s + mask
    return out, softmax(s)
