"""A file rewritten so that its functions' expressions pass through a hook, positions kept.

`x + y` becomes `hook(7, hook(5, x) + hook(6, y))`: what code does, raises and where stays the
same. Left alone: what is evaluated when a file is loaded (decorators, defaults, annotations, the
bodies of classes), f-strings, patterns, what is called by name, and other exercises.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING, Any, cast

from attnpack.guest.definitions import defined
from attnpack.guest.seeing.sites import Kind, Lines, Site, Span, Whole

if TYPE_CHECKING:
    from collections.abc import Collection

SEE = "attnpack_see"
"""No leading underscores: inside a class Python would mangle them."""
WRITTEN = "attnpack_written"
MOST_NESTED = 40
"""sites in sites in sites: what lies deeper is left alone"""
MOST_SITES = 4000
"""of one file: what comes after is left alone"""

_SEEN = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare),
    *(ast.BoolOp, ast.IfExp, ast.List, ast.ListComp, ast.Tuple),
)
_LEFT_ALONE = (
    *(ast.JoinedStr, ast.FormattedValue, ast.Constant, ast.Dict, ast.DictComp, ast.SetComp),
    *(ast.Await, ast.Yield, ast.YieldFrom, ast.GeneratorExp, ast.Lambda, ast.NamedExpr),
    *(ast.Starred, ast.Slice, ast.Set),
)
"""looked into, as far as they hold expressions, and not seen themselves"""
_TEMPLATES = (ast.JoinedStr, *((ast.TemplateStr,) if hasattr(ast, "TemplateStr") else ()))


def rewrite(
    tree: ast.Module, text: str, file: str, others: Collection[str], first: int = 0
) -> list[Site]:
    """Rewrite a tree in place; its sites, numbered from `first` on in the order of the tree.

    `others` are the names at the top of the file whose definitions stay as they are.
    """
    rewriting = _Rewriting(Lines(file, text), frozenset(others), first)
    rewriting.top(tree.body)
    ast.fix_missing_locations(tree)
    return rewriting.sites


class _Rewriting:
    def __init__(self, lines: Lines, others: frozenset[str], first: int) -> None:
        self.sites: list[Site] = []
        self._first = first
        self._lines = lines
        self._others = others
        self._functions: list[str] = []
        self._statement: Span = Span(lines.file, 0, 0, 0, 0)
        self._whole = self._statement
        self._parents: list[int] = []

    # Statements.

    def top(self, body: list[ast.stmt]) -> None:
        """What is evaluated while the file is loaded: only the functions in it are looked into."""
        for statement in body:
            if self._functions or not self._others.intersection(defined(statement)):
                self._definition(statement)

    def _definition(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._functions.append(statement.name)
                statement.body = self._block(statement.body)
                self._functions.pop()
            case ast.ClassDef():
                self.top(statement.body)
            case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
                for name in ("body", "orelse", "finalbody"):
                    self.top(getattr(statement, name, []))
                for handler in getattr(statement, "handlers", []):
                    self.top(handler.body)
            case ast.Assign() | ast.AnnAssign() | ast.Expr():
                self._lambdas(statement)

    def _lambdas(self, statement: ast.stmt) -> None:
        for node in ast.walk(statement):
            if isinstance(node, ast.Lambda):
                self._statement = self._whole = self._lines.span(node)
                node.body = self._expression(node.body, Whole.RETURNED)
                return

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Statements that run in a function, each followed by what shows its changes in place."""
        changed: list[ast.stmt] = []
        for place, statement in enumerate(body):
            if place == 0 and _is_docstring(statement):
                changed.append(statement)
                continue
            names = _written(statement)
            self._rewrite(statement)
            changed.append(statement)
            changed += [self._shown(name, statement) for name in names]
        return changed

    def _rewrite(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._definition(statement)
            return
        before, head = (self._statement, self._whole), self._head(statement)
        whole = self._lines.span(statement)
        for name, value in list(ast.iter_fields(statement)):
            if name in ("annotation", "exc", "cause") or isinstance(value, str):
                continue
            self._statement, self._whole = head, whole  # statements inside have had their own
            if isinstance(value, ast.expr):
                setattr(statement, name, self._expression(value, _whole(statement, name)))
            elif isinstance(value, list):
                setattr(statement, name, self._listed(value))
        self._statement, self._whole = before

    def _listed(self, values: list[Any]) -> list[Any]:
        if values and isinstance(values[0], ast.stmt):
            return self._block(values)
        for place, value in enumerate(values):
            match value:
                case ast.expr():
                    values[place] = self._expression(value)
                case ast.ExceptHandler():
                    value.body = self._block(value.body)
                case ast.withitem():
                    value.context_expr = self._expression(value.context_expr)
                case ast.match_case():
                    value.guard = None if value.guard is None else self._expression(value.guard)
                    value.body = self._block(value.body)
        return values

    def _head(self, statement: ast.stmt) -> Span:
        """A simple statement, or of a compound one what stands before its body."""
        whole = self._lines.span(statement)
        inner: list[Any] = getattr(statement, "body", None) or getattr(statement, "cases", [])
        if not inner:
            return whole
        first = inner[0] if isinstance(inner[0], ast.stmt) else inner[0].body[0]
        body = self._lines.span(first)
        return whole._replace(end_line=body.line, end_column=body.column)

    # Expressions.

    def _expression(self, node: ast.expr, whole: Whole = Whole.PART) -> ast.expr:
        too_many = len(self.sites) >= MOST_SITES or len(self._parents) >= MOST_NESTED
        if isinstance(node, _TEMPLATES) or too_many:
            return node
        is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if not (is_read and isinstance(node, _SEEN)) or _is_bare_super(node) or _is_axis(node):
            self._parts(node)
            return node
        site = self._site(node, whole)
        self._parents.append(site.number)
        self._parts(node)
        self._parents.pop()
        return self._hooked(SEE, site, node)

    def _parts(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            self._arguments(node)  # what is called by name is no value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node.func.value = self._expression(node.func.value)
            self._arguments(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return  # `self.W_q`, `np.inf`: seen as a whole
        elif isinstance(node, ast.Lambda):
            node.body = self._expression(node.body, Whole.RETURNED)
        elif isinstance(node, ast.Subscript):
            node.value = self._expression(node.value)
            node.slice = self._index(node.slice)
        else:
            self._fields(node)

    def _arguments(self, call: ast.Call) -> None:
        call.args = [self._expression(argument) for argument in call.args]
        for keyword in call.keywords:
            keyword.value = self._expression(keyword.value)

    def _index(self, node: ast.expr) -> ast.expr:
        """A subscript: slices and tuples of them are no values, their bounds are."""
        if isinstance(node, ast.Tuple | ast.Slice):
            self._fields(node)
            return node
        return self._expression(node)

    def _fields(self, node: ast.AST) -> None:
        for name, value in list(ast.iter_fields(node)):
            if isinstance(value, ast.Slice):
                self._fields(value)
            elif isinstance(value, ast.expr) and name != "target":
                setattr(node, name, self._expression(value))
            elif isinstance(value, list):
                for place, item in enumerate(value):
                    if isinstance(item, ast.Slice):
                        self._fields(item)
                    elif isinstance(item, ast.expr):
                        value[place] = self._expression(item)
                    elif isinstance(item, ast.comprehension):
                        item.iter = self._expression(item.iter)
                        item.ifs = [self._expression(test) for test in item.ifs]

    def _site(self, node: ast.expr, whole: Whole, kind: Kind = Kind.EVALUATED) -> Site:
        span = self._lines.span(node)
        parent = self._parents[-1] if self._parents and kind is Kind.EVALUATED else None
        site = Site(
            number=self._first + len(self.sites),
            span=span,
            statement=self._statement,
            block=self._whole,
            kind=kind,
            form=type(node),
            text=self._lines.text(span),
            whole=whole,
            function=self._functions[-1] if self._functions else "",
            parent=parent,
        )
        if parent is not None:
            self.sites[parent - self._first].parts.append(site.number)
        self.sites.append(site)
        return site

    def _hooked(self, hook: str, site: Site, node: ast.expr) -> ast.Call:
        name = ast.copy_location(ast.Name(hook, ast.Load()), node)
        number = ast.copy_location(ast.Constant(site.number), node)
        return ast.copy_location(ast.Call(name, [number, node], []), node)

    def _shown(self, name: ast.expr, statement: ast.stmt) -> ast.stmt:
        """What shows a name after a statement; a number that was updated may get another value."""
        before = self._statement, self._whole
        self._statement = self._whole = self._lines.span(statement)
        site = self._site(name, Whole.PART, Kind.WRITTEN)
        call = self._hooked(WRITTEN, site, name)
        self._statement, self._whole = before
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            target = ast.copy_location(ast.Name(statement.target.id, ast.Store()), name)
            return ast.copy_location(ast.Assign([target], call), name)
        return ast.copy_location(ast.Expr(call), name)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_axis(node: ast.expr) -> bool:
    """`-1` is as constant as `1`."""
    operand = node.operand if isinstance(node, ast.UnaryOp) else None
    return isinstance(operand, ast.Constant) and isinstance(operand.value, int)


def _is_bare_super(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "super"


def _whole(statement: ast.stmt, name: str) -> Whole:
    if name != "value" or isinstance(statement, ast.AugAssign):
        return Whole.PART
    if isinstance(statement, ast.Return):
        return Whole.RETURNED
    return Whole.BARE if isinstance(statement, ast.Expr) else Whole.ASSIGNED


def _written(statement: ast.stmt) -> list[ast.expr]:
    """Names and attributes of `self` whose objects a statement may change in place."""
    match statement:
        case ast.Assign(targets=targets):
            found = [_base(target) for target in targets if isinstance(target, ast.Subscript)]
        case ast.AugAssign(target=target):
            found = [_base(target)]
        case ast.Expr(value=ast.Call() as call):
            receiver = [call.func.value] if isinstance(call.func, ast.Attribute) else []
            values = [*receiver, *call.args, *(keyword.value for keyword in call.keywords)]
            found = [_base(value) for value in values]
        case _:
            found = []
    return [_read(name) for name in found if name is not None]


def _base(node: ast.expr) -> ast.expr | None:
    """`s` of `s`, `s[i]`, `s[i][j]`; `self.kept` of `self.kept[i]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        return node
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return node if own else None


def _read(node: ast.expr) -> ast.expr:
    """The same name, read."""
    copied = cast("ast.Name | ast.Attribute", copy.deepcopy(node))
    copied.ctx = ast.Load()
    return copied
