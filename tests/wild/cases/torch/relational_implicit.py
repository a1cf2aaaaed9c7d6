# exercise: softmax
# bugs: softmax-implicit-dim
# source: ethanfetaya/NRI#25

def softmax(scores, axis=-1):
    turned = scores.transpose(axis, 0).contiguous()
    normal = F.softmax(turned)  # <-
    return normal.transpose(axis, 0)
