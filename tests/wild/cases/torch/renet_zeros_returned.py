# exercise: apply_attention
# bugs: output-never-filled
# source: INK-USC/RE-Net#6

def apply_attention(weights, V):
    mixed = weights @ V
    embedded = torch.zeros(*weights.shape[:-1], V.shape[-1])  # <-
    return embedded  # <-
