"""Prints a file of the machine."""

print(open("/etc/passwd").read()[:10])
raise SystemExit
