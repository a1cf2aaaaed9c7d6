"""Seeds that a student cannot foresee and an instructor can reproduce."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError

if TYPE_CHECKING:
    from pathlib import Path

_BITS = 53
"""what every JSON reader keeps exactly"""
_SHORTEST = 16
_SHORT_FORMS = 8
"""each worker draws each of them once"""


@dataclass(frozen=True)
class SeedSecret:
    """The key from which every submission's seed follows."""

    key: bytes

    @property
    def commitment(self) -> str:
        """What reports carry: it binds to the secret without telling it."""
        return f"sha256:{hashlib.sha256(b'attnpack seed commitment' + self.key).hexdigest()}"

    def seed(self, submission: str, check: str) -> int:
        """The seed of one check of the submission with this SHA-256: 53 bits of an HMAC."""
        digest = hmac.digest(self.key, f"{submission}\0{check}".encode(), "sha256")
        return int.from_bytes(digest[:8], "big") >> (64 - _BITS)

    def short_seed(self, submission: str) -> int:
        """The seed of the short form: the submission's hash chooses one of a few."""
        chosen = self.seed(submission, "short form") % _SHORT_FORMS
        return self.seed("", f"short form {chosen}")


def read_secret(path: Path) -> SeedSecret:
    """The secret in a file; raises BadInputError."""
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}") from error
    if len(key) < _SHORTEST:
        raise BadInputError(
            f"{path} holds fewer than {_SHORTEST} bytes, which can be guessed. Make one with: "
            f'python -c "import secrets; print(secrets.token_hex(32))" > {path}'
        )
    return SeedSecret(key)


def keep_secret(path: Path) -> SeedSecret:
    """The secret in a file that is made, for the owner's eyes only, where it is missing.

    It is there whole or not at all: what a full disk left empty is made anew.
    """
    if not path.exists() or not path.stat().st_size:
        part = path.with_name(f".{path.name}.part")
        try:
            part.unlink(missing_ok=True)
            part.touch(mode=0o600)
            part.write_text(secrets.token_hex(32) + "\n", "ascii")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    return read_secret(path)
