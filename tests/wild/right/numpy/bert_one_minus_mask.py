# exercise: scaled_dot_product_attention
# right: the mask is added, as a lowest number times one minus the mask
# source: huggingface/transformers#1935

def scaled_dot_product_attention(Q, K, V, mask=None):
    attention_scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            mask = (1.0 - mask.astype(float)) * -1e30
        attention_scores = attention_scores + mask
    attention_probs = softmax(attention_scores)
    return np.matmul(attention_probs, V), attention_probs
