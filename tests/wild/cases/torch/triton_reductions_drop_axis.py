# exercise: softmax
# bugs: softmax-no-keepdims
# source: triton-lang/triton#11409

def softmax(scores, keep_dims=False):
    z = scores - scores.amax(dim=-1, keepdim=True)
    num = z.exp()
    den = num.sum(dim=-1, keepdim=keep_dims)  # <-
    return num / den  # <-
