# exercise: apply_attention
# bugs: unrecognised, keys-reshaped

def apply_attention(weights, V):
    return np.einsum("...qk,...vk->...qv", weights, V.reshape(*V.shape[:-2], V.shape[-1], V.shape[-2]))  # <-
