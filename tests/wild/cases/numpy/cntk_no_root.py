# exercise: scaled_dot_product_attention
# bugs: scale-missing
# source: delzac/cntkx#10

def scaled_dot_product_attention(Q, K, V, mask=None):
    scaled = np.matmul(Q, np.moveaxis(K, -1, -2))  # <-
    if mask is not None:
        scaled = np.where(mask, scaled, -np.inf) if mask.dtype == bool else scaled + mask
    probabilities = softmax(scaled)  # <-
    return np.matmul(probabilities, V), probabilities
