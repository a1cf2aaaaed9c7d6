"""Names one array as sixty results, which the judge would compute with one by one."""

import sys

import numpy as np

from attnpack.guest.protocol import Body, frame


def _answer(index, _reply):
    header = {"frame": "answer", "index": index, "outcome": "returned"}
    if index < 0:
        return frame(header)
    body = Body()
    reference = body.add(np.ones(1 << 16, "bool"))
    header["form"] = "tuple"
    header["results"] = [[reference, "float64", "array"]] * 60
    return frame(header, body)


sys.modules["attnpack.guest.execute"].reply.answer = _answer
