"""attnpack: write self-attention by hand, and be told which bug you wrote and on which line."""

__version__ = "0.1.0"
