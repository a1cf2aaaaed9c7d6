"""Reads what /proc tells of itself and of others."""

import glob
import os

for path in ("/proc/self/environ", "/proc/self/maps", "/proc/self/mountinfo", "/proc/1/cmdline",
             f"/proc/{os.getppid()}/mem", "/proc/self/fd", "/proc/net/tcp", "/sys/kernel", "/dev/mem",
             "/etc/shadow", "/etc/hostname", "/root", "/home", "/proc/self/root/etc/passwd"):
    try:
        found = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(64)
        print("attnpack-owned:", path, found)
    except OSError:
        pass
if glob.glob("/proc/[0-9]*/status") or glob.glob("/home/*") or glob.glob("/etc/*.conf"):
    print("attnpack-owned: files were listed")
if any("KEY" in name or "SECRET" in name or "TOKEN" in name for name in os.environ):
    print("attnpack-owned: the environment tells secrets")
