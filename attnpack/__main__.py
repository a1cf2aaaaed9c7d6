"""`python -m attnpack` is `attnpack`."""

from attnpack.cli import main

if __name__ == "__main__":
    main()
