# exercise: softmax
# bugs: gradient-wrong

class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        p = torch.softmax(z, dim=-1)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, grad):
        (p,) = ctx.saved_tensors
        return grad * p * (1 - p)  # <-


def softmax(scores):
    return _Softmax.apply(scores)
