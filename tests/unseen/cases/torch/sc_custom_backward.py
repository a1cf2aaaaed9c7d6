# exercise: attention_scores
# bugs: gradient-wrong

class _Scores(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, d_k):
        ctx.save_for_backward(Q, K)
        ctx.scale = d_k**-0.5
        return Q @ K.transpose(-2, -1) * ctx.scale

    @staticmethod
    def backward(ctx, grad):
        Q, K = ctx.saved_tensors
        return grad @ K, grad.transpose(-2, -1) @ Q, None  # <-


def attention_scores(Q, K, d_k):
    return _Scores.apply(Q, K, d_k)
