"""Says that it failed at lines that no file has: negative, zero, beyond the end, enormous."""

import itertools
import sys

from attnpack.guest.protocol import frame

_LINES = itertools.cycle((0, 10**6, -1, 2**24, -(10**6), 2**31, 10**18))
_execute = sys.modules["attnpack.guest.execute"]


def _answer(index, _reply):
    header = {"frame": "answer", "index": index, "outcome": "returned"}
    if index >= 0:
        at = {"file": "attention.py", "line": next(_LINES), "function": "f", "text": "t"}
        header["outcome"] = "raised"
        header["raised"] = {"type": "E", "message": "m", "frames": [at]}
        header["facts"] = {"called": ["x"], "called_at": ["attention.py", next(_LINES)]}
    return frame(header)


_execute.reply.answer = _answer
