"""Ignores every signal and sleeps."""

import signal, time

for s in range(1, 64):
    try:
        signal.signal(s, signal.SIG_IGN)
    except Exception:
        pass


def add(a, b):
    while True:
        try:
            time.sleep(100)
        except BaseException:
            pass
