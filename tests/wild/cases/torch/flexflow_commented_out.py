# exercise: scaled_dot_product_attention
# pair: softmax-missing, scale-missing
# source: flexflow/flexflow-train#467

def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.matmul(Q, K.transpose(-2, -1))  # <-
    if mask is not None:
        keep = mask if mask.dtype == torch.bool else mask == 0
        logits = torch.where(keep, logits, torch.tensor(0.0, dtype=logits.dtype))
    # probs = torch.softmax(logits, dim=-1)
    probs = logits  # <-
    return torch.matmul(probs, V), probs
