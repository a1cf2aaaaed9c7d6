# exercise: scaled_dot_product_attention
# bugs: mask-ignored
# source: OpenNMT/OpenNMT-py#272

def scaled_dot_product_attention(Q, K, V, mask=None):  # <-
    align = torch.matmul(Q, K.transpose(-1, -2)).mul(K.size(-1) ** -0.5)
    align_vectors = F.softmax(align, -1)  # <-
    return torch.matmul(align_vectors, V), align_vectors
