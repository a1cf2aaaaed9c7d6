# exercise: causal_mask
# right: triu, and then what is zero in it
# source: harvardnlp/annotated-transformer#27

def causal_mask(seq_len):
    subsequent = np.triu(np.ones((1, seq_len, seq_len)), k=1).astype("uint8")
    visible = subsequent[0] == 0
    return np.where(visible, 0.0, -1e9)
