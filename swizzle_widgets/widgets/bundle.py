"""Joins ES modules to one text: a widget's module must come without imports.

The files stay small and import each other; here the imports are followed, and each file becomes a
function with a scope of its own that returns what the file exports. What is not understood is refused
with the file and the line: nothing of a file is dropped or guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from os.path import normpath, relpath
from pathlib import Path

_NAME = r"[A-Za-z_$][\w$]*"
_IMPORT = re.compile(r"import\s*\{(?P<names>[\w$\s,]*)\}\s*from\s*(?P<quote>[\"'])(?P<path>[^\"'\n]*)(?P=quote)\s*;")
_DECLARATION = re.compile(rf"export\s+(?=(?:async\s+)?(?:function\s*\*?|class|const)\s*(?P<name>{_NAME}))")
_DEFAULT = re.compile(r"export\s+default\s+")
_ITEM = re.compile(rf"(?P<name>{_NAME})(?:\s+as\s+(?P<local>{_NAME}))?")
# Words of a statement that is a module's; `import.meta` and `import(...)` among them, to be refused.
_WORD = re.compile(r"(?<![\w$.])(import|export)(?![\w$])")
# What no module's meaning hangs on: comments and strings. Templates and regular expressions are told apart by hand.
_QUIET = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
# Behind these a slash begins a regular expression; behind anything else it divides.
_BEFORE_PATTERN = re.compile(r"(?:^|[=(,:;\[!&|?{}+\-*%<>~^]|\b(?:return|typeof|case|in|of))\s*$")
# Where one of all these may begin, or a template's expression end.
_MARK = re.compile(r"[/\"'`{}]")


@dataclass(frozen=True)
class _Module:
    """A file without its imports and exports: those stand beside it."""

    body: str
    imports: tuple[tuple[str, str], ...]
    exports: tuple[str, ...]
    has_default: bool


def bundle(entry: Path, virtual: Mapping[Path, str] | None = None) -> str:
    """Return `entry` and all that it imports as one text.

    Parameters
    ----------
    entry : Path
        An ES module. What it exports as default, the text exports as default; if it exports nothing,
        the text is a classic script as well as a module.
    virtual : mapping of Path to str, optional
        The texts of files that need not exist.

    Raises
    ------
    ValueError
        If a file or a name that is imported does not exist, files import each other in a circle, or a
        statement is none of `import {a, b as c} from "./x.js"`, `export function | class | const` and
        `export default`. The message names the file and the line.
    """
    entry = _resolved(entry)
    texts = {_resolved(path): text for path, text in (virtual or {}).items()}
    modules: dict[Path, _Module] = {}
    _collect(entry, texts, modules, ())
    scopes = {path: f"module{index}_{re.sub(r'[^A-Za-z0-9]', '_', path.stem)}" for index, path in enumerate(modules)}
    parts = [_scope(path, module, modules, scopes) for path, module in modules.items()]
    end = f"export default {scopes[entry]}.default;\n" if modules[entry].has_default else ""
    inner = "".join(parts)
    return f"{inner}{end}" if end else f'(() => {{\n"use strict";\n{inner}}})();\n'


def _collect(path: Path, texts: Mapping[Path, str], modules: dict[Path, _Module], importers: tuple[Path, ...]) -> None:
    """Add a file to `modules` behind all that it imports."""
    if path in modules:
        return
    if path in importers:
        circle = " -> ".join(each.name for each in (*importers[importers.index(path) :], path))
        raise ValueError(f"{path.name}: files import each other in a circle: {circle}")
    if path not in texts and not path.is_file():
        raise ValueError(f"{importers[-1].name if importers else path}: there is no file {path}")
    module = _parsed(path.name, texts[path] if path in texts else path.read_text(encoding="utf-8"))
    for target, _ in module.imports:
        _collect(_resolved(path.parent / target), texts, modules, (*importers, path))
    modules[path] = module


def _scope(path: Path, module: _Module, modules: Mapping[Path, _Module], scopes: Mapping[Path, str]) -> str:
    """The file as a function that is called at once and returns its exports."""
    heads = []
    for target, names in module.imports:
        source = _resolved(path.parent / target)
        for name in (item.partition(":")[0] for item in names.split(", ")):
            if name not in modules[source].exports:
                raise ValueError(f"{path.name}: {source.name} exports no {name}")
        heads.append(f"const {{ {names} }} = {scopes[source]};\n")
    names = ", ".join((*module.exports, *(["default: $default"] if module.has_default else [])))
    title = relpath(path, Path(__file__).parents[1]).replace("\\", "/")
    inner = f"{''.join(heads)}{module.body.strip()}\nreturn {{ {names} }};\n"
    return f"// {title}\nconst {scopes[path]} = (() => {{\n{inner}}})();\n"


@cache
def _parsed(name: str, text: str) -> _Module:
    """Take a file's imports and exports apart from its body."""
    code = _without_quiet(text)
    imports, exports, has_default, body, at = [], [], False, [], 0
    for word in _WORD.finditer(code):
        start = word.start()
        if start < at:
            continue
        body.append(text[at:start])
        # Strings are blank in `code`, so an import's path is read in `text`; its begin was found in code.
        if match := _IMPORT.match(text, start):
            imports.append((_path(name, text, start, match["path"]), _names(name, text, start, match["names"])))
        elif match := _DECLARATION.match(code, start):
            exports.append(match["name"])
        elif match := _DEFAULT.match(code, start):
            has_default = True
            body.append("const $default = ")
        else:
            raise _refused(name, text, start, "only named static imports and exported declarations are understood")
        if code[:start].rpartition("\n")[2].strip():
            raise _refused(name, text, start, "an import or export must begin its line")
        at = match.end()
    return _Module("".join((*body, text[at:])), tuple(imports), tuple(exports), has_default)


def _path(name: str, text: str, at: int, path: str) -> str:
    if not path.startswith(("./", "../")):
        raise _refused(name, text, at, f"{path!r} is no relative path")
    return path


def _names(name: str, text: str, at: int, names: str) -> str:
    """`a, b as c` as a destructuring pattern says it: `a, b: c`."""
    items = [item.strip() for item in names.split(",") if item.strip()]
    matches = [_ITEM.fullmatch(item) for item in items]
    if not all(matches) or not items:
        raise _refused(name, text, at, f"{names.strip()!r} are no names")
    return ", ".join(m["name"] + (f": {m['local']}" if m["local"] else "") for m in matches if m)


def _refused(name: str, text: str, at: int, why: str) -> ValueError:
    number = text.count("\n", 0, at) + 1
    line = text.splitlines()[number - 1].strip()
    return ValueError(f"{name}, line {number}: {line}: {why}")


def _without_quiet(text: str) -> str:
    """Return the text with comments, strings, templates' words and regular expressions blanked, as long as before."""
    code, at = "", 0
    braces: list[int] = []
    while found := _MARK.search(text, at):
        mark, start = found[0], found.start()
        code += text[at:start]
        end = _quiet_end(text, start, code)
        if mark == "`" or (mark == "}" and braces and braces[-1] == 0):
            end = _template_end(text, start + 1)
            braces = (braces[:-1] if mark == "}" else braces) + ([0] if text[end - 1] == "{" else [])
        elif braces and mark in "{}":
            braces[-1] += 1 if mark == "{" else -1
        code += "\n".join(" " * len(line) for line in text[start:end].split("\n")) if end > start else mark
        at = max(end, start + 1)
    return code + text[at:]


def _quiet_end(text: str, at: int, before: str) -> int:
    """Where the comment, string or regular expression that begins here ends; `at` itself if none does."""
    if text[at] not in "/\"'":
        return at
    if match := _QUIET.match(text, at):
        return match.end()
    # Its longest word, `typeof`, with what stands before it fits.
    if text[at] == "/" and _BEFORE_PATTERN.search(before.rstrip()[-16:]) and (match := _PATTERN.match(text, at)):
        return match.end()
    return at


def _template_end(text: str, at: int) -> int:
    """Behind the template's closing backtick, or behind the `${` of its next expression."""
    match = re.compile(r"(?:\\.|(?!\$\{)[^`\\])*(?:`|\$\{)", re.DOTALL).match(text, at)
    return match.end() if match else len(text)


def _resolved(path: Path) -> Path:
    # Not Path.resolve: a link to a file stands for the file where it is.
    return Path(normpath(path.absolute()))
