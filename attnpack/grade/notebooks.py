"""A notebook's bytes without its outputs: pictures and tables of megabytes are no source."""

from __future__ import annotations

import re

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
"""a text, to the end where it is not closed; or a bracket"""
_EMPTIED = {b'"outputs"': b"[]", b'"attachments"': b"{}"}
"""key -> what stands in the place of its value"""
_VALUE = re.compile(rb"[ \t\r\n]*+:[ \t\r\n]*+(?=[\[{])")


def without_outputs(data: bytes) -> bytes:
    """The same JSON with no outputs and attachments, found by brackets and quotation marks alone.

    Of what is no JSON as much is kept as can be followed; reading it is the worker's.
    """
    pieces: list[bytes] = []
    kept_to = 0
    skip_to = 0
    tokens = _TOKEN.finditer(data)
    for token in tokens:
        instead = _EMPTIED.get(token[0])
        if instead is None or token.start() < skip_to:
            continue
        value = _VALUE.match(data, token.end())
        if value is None:
            continue
        depth = 0
        for inner in tokens:
            depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(inner[0], 0)
            if depth == 0:
                pieces += [data[kept_to : value.end()], instead]
                kept_to = skip_to = inner.end()
                break
    return b"".join([*pieces, data[kept_to:]])
