# exercise: causal_mask
# right: a running sum of the identity is a triangle
# source: lsdefine/attention-is-all-you-need-keras#6

def causal_mask(seq_len):
    columns = np.cumsum(np.eye(seq_len), 1)
    return (1 - columns.T) * -1e10
