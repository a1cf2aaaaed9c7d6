"""Prints control sequences: colours, titles, the clipboard, cursor, answers typed back."""

ESCAPES = ("\x1b[2J\x1b[1;1Hall passed", "\x1b]0;owned\x07", "\x1b]52;c;b3duZWQ=\x07", "\x1bP$q\x1b\\",
           "\x9b31m", "\x1b[6n", "\r\x1b[K7 of 7 passed", "\x08" * 80, "\u202emoc.live", "\x00", "\x7f")
for escape in ESCAPES:
    print(escape)


def add(a, b):
    raise ValueError("".join(ESCAPES))
