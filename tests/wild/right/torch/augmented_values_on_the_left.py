# exercise: apply_attention
# right: both transposed, the product turned round
# source: leaderj1001/BottleneckTransformers#14

def apply_attention(weights, V):
    return torch.matmul(V.transpose(-1, -2), weights.transpose(-1, -2)).transpose(-1, -2)
