"""The code that a command looks at: the learner's, ready to be asked, or the reference."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError
from attnpack.report.untrusted import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attnpack.calls import Task, Transcript
    from attnpack.look.model.attention import Attention
    from attnpack.look.model.host_model import HostModel, Predict
    from attnpack.look.pictures.stream import Sublayers
    from attnpack.submission import Submission
    from attnpack.terms import Backend

EXERCISE = "MultiHeadAttention"


@dataclass(frozen=True)
class Code:
    """A submission whose `MultiHeadAttention` is written."""

    submission: Submission
    backend: Backend
    run: Callable[[Task], Transcript]

    @property
    def source(self) -> str:
        """The file that defines it, as a picture names it."""
        return one_line(self.submission.entries[EXERCISE], characters=60)

    def attention(self, model: HostModel) -> Attention:
        """The learner's attention, for a model's number of heads."""
        from attnpack.look.subject.learner import Learner

        return Learner(self.run, self.submission, self.backend, model.recipe.num_heads)

    def predict(self, model: HostModel) -> Predict:
        """The model with the learner's attention in it."""
        return model.through(self.attention(model))

    def sublayers(self, model: HostModel) -> Sublayers:
        """The model's blocks with the learner's attention in them."""
        from attnpack.look.pictures.stream import with_attention

        return with_attention(model, self.attention(model))


@contextmanager
def opened(submission: Submission, backend: Backend) -> Iterator[Code]:
    """The code with a warm guest. Raises BadInputError where the exercise is not started."""
    if not submission.started(EXERCISE):
        file = submission.entries.get(EXERCISE, "multi_head_attention.py")
        raise BadInputError(
            f"{EXERCISE} is not written yet in {one_line(file)}, so there is no attention of yours "
            "to look at. Write it, or look at right attention: add --reference"
        )
    from attnpack.host.pool import open_pool

    with open_pool(backend) as pool:
        yield Code(submission, backend, pool.run)
