"""Executes a task's questions on the learner's code and answers each as it comes."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.guest import backends, reply
from attnpack.guest.backends import (
    Array,
    Built,
    Called,
    Filled,
    GuestBackend,
    Lowered,
    Part,
)
from attnpack.guest.nested import found, leaves, mapped
from attnpack.guest.raised import Catching, describe, is_refusal
from attnpack.guest.reply import Reply
from attnpack.guest.request import Ask, Question, Request
from attnpack.guest.seeing.hooks import Hooks
from attnpack.guest.set_aside import raised_for
from attnpack.guest.sources import Sources, file_name
from attnpack.guest.standins import StandIns
from attnpack.guest.trace import Tracer

if TYPE_CHECKING:
    from types import ModuleType

Send = Callable[[bytes], None]
LOADED = -1


def execute(request: Request, send: Send) -> None:
    """Load the submission, answer every question, say what stood in."""
    if not request.together:
        _execute(request, send)
        return
    pieces: list[bytes] = []
    _execute(request, pieces.append)
    send(b"".join(pieces))


def _execute(request: Request, send: Send) -> None:
    _repeat_chance()
    sources = Sources(request.sources)
    folder = request.entry == file_name(request.exercise)
    stand_ins = StandIns(request.stand_ins, request.homes, sources, folder)
    execution = _Execution(request, send, sources, stand_ins)
    with sources, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with execution.backend.watch(execution.called):
            if execution.load():
                for index, question in enumerate(request.questions):
                    execution.ask(index, question)
    send(reply.done(stand_ins.used, stand_ins.refused))


def _repeat_chance() -> None:
    """The same random numbers in every guest, so that code with chance in it is judged alike."""
    random.seed(0)
    np.random.seed(0)  # the generator that learners share
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


class _Execution:
    def __init__(self, request: Request, send: Send, sources: Sources, stand_ins: StandIns) -> None:
        self.backend: GuestBackend = backends.get(request.backend)
        self._sources = sources
        self._stand_ins = stand_ins
        self._hooks = Hooks(self.backend, request.seen or {}, request.seen_others)
        if request.seen is not None:
            sources.prepare, sources.rewrite = self._hooks.plant, self._hooks.rewrite
        self.called: list[Called] = []
        self._request = request
        self._send = send
        self._modules: dict[str, ModuleType] = {}
        self._slots: dict[str, Built] = {}

    def load(self) -> bool:
        """Run the entry files; whether there is something to ask."""
        loaded = self._loaded()
        self._send(reply.answer(LOADED, loaded))
        return loaded.outcome == "returned"

    def _loaded(self) -> Reply:
        """Of several exercises the answer tells of the first that is there."""
        asked = {self._request.exercise: self._request.entry, **self._request.beside}
        loaded = [self._load(*each) for each in asked.items()]
        return next((reply for reply in loaded if reply.outcome == "returned"), loaded[0])

    def _reload(self, question: Question) -> Reply:
        """Everything anew, with another text for one file."""
        self._modules.clear()
        self._slots.clear()
        self._sources.change(question.file, question.text)
        self._stand_ins.forget()
        return self._loaded()

    def _load(self, exercise: str, entry: str) -> Reply:
        """Run a file, once, and find the exercise in it."""
        rewrite = self._stand_ins.rewrite if self._request.stand_ins else None
        if entry not in self._modules:
            with Catching() as caught:
                prepare = self._stand_ins.prepare
                self._modules[entry] = self._sources.entry(entry, prepare, rewrite)
            if caught.error is not None:
                return self._raised(caught.error)
        namespace = self._modules[entry].__dict__
        error = raised_for(namespace, exercise)
        if error is not None:
            return self._raised(error)
        return Reply(outcome="not_defined") if namespace.get(exercise) is None else Reply()

    def ask(self, index: int, question: Question) -> None:
        """Answer one question."""
        self.called.clear()
        tracer = Tracer(self._request.sources, self.backend) if question.trace else None
        answer = Reply()
        if question.see:
            self._hooks.see_all()
        if question.instead is not None:
            self._hooks.give(question.instead)
        with Catching() as caught:
            answer = self._answer(question, tracer)
        if caught.error is not None:
            answer = self._raised(caught.error)
        seen = self._hooks.stop()
        answer.facts.update(_called_facts(self.called))
        frames = [reply.event(event) for event in tracer.events] if tracer else []
        frames += reply.seen(seen)
        self._send(b"".join((*frames, reply.answer(index, answer))))

    def _answer(self, question: Question, tracer: Tracer | None) -> Reply:
        match question.ask:
            case Ask.CALL:
                return self._call(question, tracer)
            case Ask.BUILD:
                return self._build(question)
            case Ask.FILL:
                return self._fill(question)
            case Ask.FORWARD:
                return self._forward(question, tracer)
            case Ask.RELOAD:
                return self._reload(question)

    def _call(self, question: Question, tracer: Tracer | None) -> Reply:
        function = self._find(question.name)
        if function is None:
            return Reply(outcome="not_defined")
        return self._apply(function, question, None, tracer)

    def _build(self, question: Question) -> Reply:
        self._slots.pop(question.slot, None)
        cls = self._find(question.name)
        if cls is None:
            return Reply(outcome="not_defined")
        arguments = [self._lift(argument, question) for argument in question.arguments]
        keywords = {k: self._lift(v, question) for k, v in question.keywords.items()}
        built = Built(cls(*arguments, **keywords), question.parameters, question.biases)
        self._slots[question.slot] = built
        return Reply(form="one", facts=_parameter_facts(self.backend, built))

    def _fill(self, question: Question) -> Reply:
        built = self._slots.get(question.slot)
        if built is None:
            return Reply(outcome="not_defined")
        return Reply(facts=_fill(self.backend, built, question.matrices))

    def _forward(self, question: Question, tracer: Tracer | None) -> Reply:
        built = self._slots.get(question.slot)
        if built is None:
            return Reply(outcome="not_defined")
        self.backend.prepare(built, question.mode)
        question.precision = self.backend.precision(built, question.precision)
        if question.method == "forward":
            return self._apply(_forward_of(built.made), question, built, tracer)
        method = getattr(built.made, question.method, None)
        if method is None:
            return Reply(outcome="not_defined")
        return self._apply(method, question, built, tracer)

    def _apply(
        self,
        function: Callable[..., Any],
        question: Question,
        built: Built | None,
        tracer: Tracer | None,
    ) -> Reply:
        """Call with fresh arguments; results, what changed, gradients."""
        arguments = [self._lift(argument, question) for argument in question.arguments]
        keywords = {k: self._lift(v, question) for k, v in question.keywords.items()}
        given = _named(arguments, keywords)
        asked = dict(_leaves(_named(question.arguments, question.keywords)))
        arrays = {path: found(given, path) for path, value in asked.items() if _is_array(value)}
        before = {path: self.backend.snapshot(array) for path, array in arrays.items()}
        returned = None
        with Catching() as caught, tracer or nullcontext():
            returned = function(*arguments, **keywords)
        answer = Reply() if caught.error is None else self._raised(caught.error)
        for path, snapshot in before.items():
            after = _found_or_none(given, path)
            if after is None or self.backend.snapshot(after) != snapshot:
                array = self.backend.lower(after).array
                answer.changed[path] = np.empty(0) if array is None else array
        if answer.raised is None:
            answer.form, results = split(returned, question.returns)
            answer.results = [self._lowered(result) for result in results]
            if question.cotangents is not None:
                inputs = {path: a for path, a in arrays.items() if _is_float_array(asked[path])}
                self._backward(answer, results, question, inputs, built)
        return answer

    def _backward(
        self,
        answer: Reply,
        results: Sequence[Any],
        question: Question,
        inputs: Mapping[str, Any],
        built: Built | None,
    ) -> None:
        cotangents = question.cotangents or ()
        with Catching() as caught:
            answer.gradients = self.backend.gradients(results, cotangents, inputs, built)
        if caught.error is not None:
            answer.backward_raised = describe(caught.error, self._request.sources)

    def _lift(self, argument: Any, question: Question) -> Any:
        def lifted(value: Any) -> Any:
            if question.strided and _is_array(value):
                value = _transposed_view(value)
            return self.backend.lift(value, question.precision, question.cotangents is not None)

        return mapped(argument, lifted)

    def _lowered(self, result: Any) -> Lowered:
        with Catching():
            return self.backend.lower(result)
        return Lowered(None, "object", type(result).__name__)

    def _find(self, name: str) -> Any:
        entry = self._request.beside.get(name, self._request.entry)
        module = self._modules.get(entry)
        return None if module is None else module.__dict__.get(name)

    def _raised(self, error: BaseException) -> Reply:
        sources = self._request.sources
        facts = {"refusal": True} if is_refusal(error, sources) else {}
        return Reply(outcome="raised", raised=describe(error, sources), facts=facts)


def _forward_of(built: Any) -> Callable[..., Any]:
    """`forward`, or the object itself where its class has none of its own."""
    forward: Callable[..., Any] = getattr(built, "forward", built)
    missing = getattr(forward, "__name__", "") == "_forward_unimplemented"  # torch's nn.Module
    return built if missing else forward


def split(returned: Any, wanted: int) -> tuple[str, list[Any]]:
    """How many results came, and which: a list is several only where several are wanted."""
    if returned is None:
        return "none", []
    if isinstance(returned, tuple) and not (wanted == 1 and _is_tuple_of_rows(returned)):
        return "tuple", list(returned)
    if wanted > 1 and isinstance(returned, list) and _is_list_of_matrices(returned, wanted):
        return "list", list(returned)
    return "one", [returned]


def _is_tuple_of_rows(returned: tuple[Any, ...]) -> bool:
    """One matrix or stack in rows, not `(output, weights)`: rows of numbers, or tuples again."""
    return bool(returned) and all(
        isinstance(row, tuple)
        or getattr(row, "ndim", 0) == 1
        or (isinstance(row, list) and bool(row) and not isinstance(row[0], (list, tuple)))
        for row in returned
    )


def _is_list_of_matrices(returned: list[Any], wanted: int) -> bool:
    """`[output, weights]`, not one matrix in rows: each element has two axes at least."""
    if len(returned) != wanted:
        return False
    return all(
        getattr(element, "ndim", 0) >= 2
        or (isinstance(element, list) and bool(element) and isinstance(element[0], list))
        for element in returned
    )


def _named(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """What is handed over, by position or name: the first step of a path."""
    return {**{str(i): argument for i, argument in enumerate(arguments)}, **keywords}


def _leaves(named: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in named.items():
        yield from leaves(value, name)


def _found_or_none(given: Mapping[str, Any], path: str) -> Any:
    """None where the learner's code took it out of its dictionary or list."""
    try:
        return found(given, path)
    except (LookupError, TypeError):
        return None


def _is_array(argument: Any) -> bool:
    return type(argument) is np.ndarray


def _transposed_view(array: Array) -> Array:
    """The same numbers in memory as heads are after a transpose, or as `.T` leaves a matrix."""
    if array.ndim < 2:
        return array
    first, second = (-1, -2) if array.ndim == 2 else (-2, -3)
    return np.ascontiguousarray(array.swapaxes(first, second)).swapaxes(first, second)


def _is_float_array(argument: Any) -> bool:
    return type(argument) is np.ndarray and argument.dtype.kind == "f"


def _parameter_facts(backend: GuestBackend, built: Built) -> dict[str, Any]:
    """Sizes of its parameters, which biases it has, what is missing, which are one object."""
    held = {name: backend.matrix(built, name) for name in built.names}
    shapes = {name: list(array.shape) for name, array in held.items() if array is not None}
    owners: dict[int, list[str]] = {}
    for name in built.parameters:
        owner = backend.identity(built, name)
        if owner is not None:
            owners.setdefault(owner, []).append(name)
    return {
        "matrices": {name: shape for name, shape in shapes.items() if name in built.parameters},
        "biases": [name for name in shapes if name in built.biases],
        "missing": [name for name in built.parameters if name not in shapes],
        "same": [names for names in owners.values() if len(names) > 1],
        **backend.facts(built),
    }


_FACT_OF = {
    Part.ATTENTION: "called",
    Part.SOFTMAX: "library",
    Part.LAYER_NORM: "library_norm",
    Part.SOFTMAX_WITHOUT_DIM: "implicit_dim",
    Part.DROPOUT: "dropout",
    Part.DROPOUT_ON_MASKED: "dropout_on_masked",
    Part.RANDOM: "random",
    Part.DETACHED: "detached",
}


def _called_facts(called: Sequence[Called]) -> dict[str, Any]:
    """Which parts of the library were called, by kind, and where the first of each was."""
    facts: dict[str, Any] = {}
    if not called:
        return facts
    for part, fact in _FACT_OF.items():
        ones = [one for one in called if one.part is part]
        if ones:
            facts[fact] = sorted({one.name for one in ones})[:8]
            facts[f"{fact}_at"] = [ones[0].file, ones[0].line]
        if ones and part is Part.RANDOM:
            facts["random_shapes"] = [list(one.shape) for one in ones[:8]]
    changed = [one for one in called if one.part is Part.IN_PLACE][:8]
    if changed:
        facts["in_place"] = [one.name for one in changed]
        facts["in_place_at"] = [[one.file, one.line] for one in changed]
    return facts


def _fill(backend: GuestBackend, built: Built, matrices: Mapping[str, Array]) -> dict[str, Any]:
    filled = {name: backend.fill(built, name, numbers) for name, numbers in matrices.items()}

    def ended(*ways: Filled) -> list[str]:
        return [name for name, way in filled.items() if way in ways]

    return {
        "filled": ended(Filled.IN_PLACE, Filled.ASSIGNED),
        "assigned": ended(Filled.ASSIGNED),
        "absent": ended(Filled.ABSENT),
        "refused": ended(Filled.REFUSED),
        "biases": [n for n in ended(Filled.IN_PLACE, Filled.ASSIGNED) if n in built.biases],
    }
