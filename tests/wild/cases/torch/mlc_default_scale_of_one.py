# exercise: scaled_dot_product_attention
# bugs: scale-missing
# source: mlc-ai/mlc-llm#3426

def scaled_dot_product_attention(Q, K, V, mask=None, sm_scale=1.0):
    logits = sm_scale * (Q @ K.transpose(-1, -2))  # <-
    if mask is not None:
        logits = torch.where(mask, logits, -torch.inf) if mask.dtype == torch.bool else logits + mask
    weights = logits.softmax(-1)
    return weights @ V, weights
