"""attnpack: write self-attention by hand, and be told which bug you wrote and on which line.

In a notebook or at a prompt, `attnpack.check()` checks what you have defined.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attnpack.live import check

__version__ = "0.1.0"
__all__ = ["__version__", "check"]


def __getattr__(name: str) -> Any:
    """`check`, imported at its first use: every command imports this module."""
    if name == "check":
        from attnpack.live import check

        return check
    raise AttributeError(f"module 'attnpack' has no attribute {name!r}")
