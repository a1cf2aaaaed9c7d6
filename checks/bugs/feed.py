"""Bugs of the feed-forward."""

from __future__ import annotations

import math

from ..steps import feeding
from .entry import Entry
from .ways import rare, way

_GELU_BY = feeding.activated_by

BUGS = (
    Entry("ffn-no-activation", models=(way({"gelu": feeding.unchanged}),)),
    Entry(
        "ffn-other-activation",
        models=(
            way({"gelu": _GELU_BY(feeding.relu)}, "ReLU"),
            way({"gelu": _GELU_BY(feeding.silu)}, "SiLU"),
            way({"gelu": _GELU_BY(feeding.quick_gelu)}, "x sigmoid(1.702 x)"),
            way({"gelu": _GELU_BY(feeding.tanh)}, "tanh"),
            way({"gelu": _GELU_BY(feeding.sigmoid)}, "sigmoid", rank=1),
            way({"gelu": _GELU_BY(feeding.leaky_relu)}, "leaky ReLU", rank=1),
            way({"gelu": _GELU_BY(feeding.elu)}, "ELU", rank=1),
            way({"gelu": _GELU_BY(feeding.softplus)}, "softplus", rank=1),
            way({"gelu": _GELU_BY(feeding.erf)}, "erf", rank=1),
        ),
    ),
    Entry(
        "ffn-gelu-constant",
        models=tuple(
            way({"gelu": _GELU_BY(function)}, label, rank=rank)
            for label, function, rank in (
                ("0.44715 for 0.044715", feeding.tanh_form(cubed=0.44715), 0),
                ("0.0044715 for 0.044715", feeding.tanh_form(cubed=0.0044715), 1),
                ("0.004715 for 0.044715", feeding.tanh_form(cubed=0.004715), 1),
                ("0.04715 for 0.044715", feeding.tanh_form(cubed=0.04715), 0),
                ("0.4715 for 0.044715", feeding.tanh_form(cubed=0.4715), 1),
                ("no cube", feeding.tanh_form(cubed=0.0), 1),
                ("2 / pi without its root", feeding.tanh_form(root=2.0 / math.pi), 0),
                ("sqrt(2 pi)", feeding.tanh_form(root=math.sqrt(2.0 * math.pi)), 0),
                ("sqrt(pi / 2)", feeding.tanh_form(root=math.sqrt(math.pi / 2.0)), 0),
                ("sqrt(2) / pi", feeding.tanh_form(root=math.sqrt(2.0) / math.pi), 1),
                ("2 / sqrt(pi)", feeding.tanh_form(root=2.0 / math.sqrt(math.pi)), 1),
                ("1 for sqrt(2 / pi)", feeding.tanh_form(root=1.0), 1),
                ("a square for the cube", feeding.tanh_form(power=2), 0),
                ("the half is missing, tanh", feeding.tanh_form(half=1.0), 0),
                ("the one is missing, tanh", feeding.tanh_form(one=0.0), 1),
                ("erf without sqrt(2)", feeding.erf_form(divisor=1.0), 0),
                ("erf of x / 2", feeding.erf_form(divisor=2.0), 1),
                ("erf of x sqrt(2)", feeding.erf_form(divisor=math.sqrt(0.5)), 1),
                ("the half is missing, erf", feeding.erf_form(half=1.0), 0),
                ("the one is missing, erf", feeding.erf_form(one=0.0), 1),
            )
        ),
    ),
    Entry(
        "ffn-activation-last",
        models=(
            *(
                way({"leave": feeding.activated_last(form)}, f"too, {form}")
                for form in feeding.FORMS
            ),
            *(
                way(
                    {"gelu": feeding.unchanged, "leave": feeding.activated_last(form)},
                    f"instead, {form}",
                )
                for form in feeding.FORMS
            ),
            *(
                rare(feeding.activated_before_bias(form), f"before the last bias, {form}")
                for form in feeding.FORMS
            ),
        ),
    ),
    Entry(
        "ffn-bias-missing",
        models=(
            way({"offset": feeding.no_offset}, "b_1"),
            way({"offset out": feeding.no_offset}, "b_2"),
            way({"offset": feeding.no_offset, "offset out": feeding.no_offset}, "both"),
        ),
    ),
)
