"""Puts markup into messages, names and output, for the pages of the report."""

print("</pre><script>document.title='attnpack' + '-owned'</script>")
Bad = type("<script>alert(1)</script>", (ValueError,), {})


def add(a, b):
    exec(compile("raise Bad('</td><img src=x onerror=alert(1)>')", '"><svg onload=alert(1)>.py', "exec"))
