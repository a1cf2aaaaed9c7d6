# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax
# source: huggingface/pytorch-image-models#2236

def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qc,...kc->...qk", Q * Q.size(-1) ** -0.5, K)
    probs = logits.softmax(dim=-1)
    if mask is not None:
        allowed = mask if mask.dtype == torch.bool else mask.eq(0)
        probs = probs.masked_fill(allowed.logical_not(), 0.0)  # <-
    return probs.matmul(V), probs
