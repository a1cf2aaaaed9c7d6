"""`python -m attnpack` is `attnpack`."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder, where a file may be named like a library
    from attnpack.entry import main

    main()
