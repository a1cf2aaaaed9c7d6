# exercise: scaled_dot_product_attention
# bugs: mask-on-query-rows
# source: bentrevett/pytorch-seq2seq#96

def scaled_dot_product_attention(Q, K, V, mask=None):
    energy = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == torch.bool else mask == 0
        if keep.dim() > 2 and keep.shape[-2] == 1:
            keep = keep.squeeze(-2).unsqueeze(-1)  # <-
        energy = energy.masked_fill(keep == 0, -1e10)
    attention = torch.softmax(energy, dim=-1)
    return torch.matmul(attention, V), attention
