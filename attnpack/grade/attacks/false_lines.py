"""Has its exceptions come from files and lines that it chooses."""


def add(a, b):
    for name in ("/etc/passwd", "../../checks/oracle.py", "<reference>", "attnpack/guest/serve.py", "\n"):
        code = compile("\n" * 10**4 + "def f(): raise ValueError(__name__)\nf()", name, "exec")
        try:
            exec(code, {"__name__": "attnpack.guest.serve", "__file__": "/etc/passwd"})
        except ValueError as error:
            last = error
    raise last
