"""Markdown and code as HTML: formulas as MathML, headings with anchors, links to notebooks as links to pages."""

from __future__ import annotations

import re
from html import escape, unescape

from latex2mathml.converter import convert as mathml
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

DESCRIPTION_LENGTH = 160

_NOTEBOOK = re.compile(r"(?P<name>[\w-]+)\.ipynb(?P<anchor>#.*)?")
_FORMATTER = HtmlFormatter(nowrap=False)


def markdown(source: str, **options: object) -> str:
    """Return Markdown as HTML.

    Parameters
    ----------
    source : str
    **options
        Those of nbconvert's renderer: where pictures are found, say.
    """
    return MarkdownWithMath(renderer=_Text(escape=False, embed_images=True, **options)).render(source)


def code(source: str) -> str:
    """Return Python code as highlighted HTML."""
    return highlight(source, get_lexer_by_name("ipython3" if source.startswith("%") else "python"), _FORMATTER)


def code_style() -> str:
    """Return the style sheet of `code`, for both themes."""
    light, dark = (HtmlFormatter(style=name).get_style_defs(".highlight") for name in ("default", "github-dark"))
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"


def anchor(heading: str) -> str:
    """Return the anchor of a heading's text, as JupyterLab makes it."""
    return unescape(re.sub(r"<[^>]*>", "", heading)).replace(" ", "-")


def plain(source: str) -> str:
    """Return Markdown without its marks, on one line."""
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(source.split()))
    return re.sub(r"[*`$\\]", "", without_links)


def shortened(text: str) -> str:
    """Return whole sentences, as many as a search page shows; broken off where they would say too little."""
    if len(text) <= DESCRIPTION_LENGTH:
        return text
    head = text[: DESCRIPTION_LENGTH - 4]
    end = max(head.rfind(mark) for mark in (". ", "? ", "! "))
    return head[: end + 1] if end >= DESCRIPTION_LENGTH // 2 else f"{head[: head.rfind(' ')]} ..."


class _Text(IPythonRenderer):
    def heading(self, text: str, level: int, **attributes: object) -> str:
        return f'<h{level} id="{escape(anchor(text))}">{text}</h{level}>\n'

    def inline_math(self, body: str) -> str:
        return mathml(body)

    def block_math(self, body: str) -> str:
        return mathml(body, display="block")

    def link(self, text: str, url: str, title: str | None = None) -> str:
        found = _NOTEBOOK.fullmatch(url)
        return super().link(text, f"{found['name']}.html{found['anchor'] or ''}" if found else url, title)
