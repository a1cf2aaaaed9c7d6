# exercise: scaled_dot_product_attention
# bugs: softmax-axis-hard-coded
# source: FudanNLP/fastNLP#254

def scaled_dot_product_attention(Q, K, V, mask=None):
    output = torch.matmul(Q, K.transpose(-1, -2)) / Q.size(-1) ** 0.5
    if mask is not None:
        if mask.dtype == torch.bool:
            output = output.masked_fill(mask.logical_not(), -1e18)
        else:
            output = output + mask
    output = nn.functional.softmax(output, dim=2)  # <-
    return torch.matmul(output, V), output
