"""Calls out: TCP, UDP, a name, a local socket."""

import socket

for family, kind, address in (
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 47613)),
    (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 47613)),
    (socket.AF_INET6, socket.SOCK_STREAM, ("::1", 47613)),
    (socket.AF_UNIX, socket.SOCK_STREAM, "/tmp/attnpack-canary/door"),
):
    try:
        with socket.socket(family, kind) as caller:
            caller.settimeout(1)
            caller.connect(address)
            caller.send(b"attnpack-owned")
            print("attnpack-owned: connected to", address)
    except OSError:
        pass
try:
    print("attnpack-owned:", socket.getaddrinfo("localhost", 80))
except OSError:
    pass
