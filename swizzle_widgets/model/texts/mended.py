"""Mending texts that a web page, a terminal or a log damaged; digits are never touched.

Each rule undoes one known damage in the one way there is. What is left must still be read strictly; if it cannot, the
text is refused as it came.
"""

from __future__ import annotations

import html
import re

_FIELD = r"_?-?[0-9]{1,9}(?![0-9])"
_TAGS = r"</?(?:a|b|i|em|strong|code|pre|br|span|p|div|td|tr|li|font|tt|u)(?:\s[^<>]*)?/?>"
_LINK = r"\[([^\[\]]*)\]\(\s*(?:https?:|www\.|/|#)[^()\s]*\s*\)"
_URL = r"<?\bhttps?://[^\s<>]*>?"
_SIGNS = {
    "\u00a0": " ", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "\u2060": "", "\u00ad": "",
    "\u2218": "o", "\u2212": "-", "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "`": "", "*": "",
    "\u2039": "<", "\u203a": ">", "\u27e8": "<", "\u27e9": ">", "\uff1c": "<", "\uff1e": ">",
}  # fmt: skip
_ANSI = r"\x1b\[[0-9;]*[A-Za-z]"
_SWIZZLE = (
    rf"\b(Swizzle|Sw|S)\s*[<(\[{{]?\s*({_FIELD})\s*,\s*({_FIELD})\s*,\s*({_FIELD})\s*[>)\]}}]?(?!\s*,?\s*[-_]?[0-9])"
)
_POINTER = r"(?<![a-z])smem_?(sub)?_?ptr\s*[\[(<{]?\s*([0-9]{1,4})\s*b\s*[\])>}]?"
_PLACE = r"(smem_(?:sub)?ptr\[[0-9]+b\])\s*\(?\s*(unset|\(nil\)|0x[0-9a-fA-F]+(?:\.[0-9]+)?)\s*\)?(?![0-9a-zA-Z])"
_UNSET = r"(Sw<[^<>]*>\s*o\s*smem_(?:sub)?ptr\[[0-9]+b\])(?=\s*o\s)"
_TAKEN = r"(?:cute|Swizzle|Sw|S|o|ptr|raw_ptr|tensor|\w*_TV|Thr\w*|Val\w*|Tiler\w*|\w*ptr\w*|_-?[0-9]\w*)\b"
_WORD = rf"(?!{_TAKEN})[A-Za-z_][\w.]*(?:\[[0-9]*\])?"
_STAMP = r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?Z?\s+"
_MARK = r"(?:\[[^\[\]()<>]*\]|>>>|//|\$|#|>|-)\s+"
_NAMED = rf"(?:{_WORD}|[!#%$]\w+)(?:\s+(?:{_WORD}|[0-9]+))*\s*(?:[:=]|->)\s*"
_PREFIX = rf"\s*(?:{_MARK}|{_STAMP}|{_NAMED})*(?=\(|\w|[!#])"
_SUFFIX = r"""(?:\\n|[;,.'"\s:]|//.*)*$"""


def mended(text: str) -> str:
    """Return the text without the damage of web pages, terminals and logs, as far as there is one way to undo it."""
    text = html.unescape(html.unescape(text))
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    for pattern in (_ANSI, _TAGS):
        text = re.sub(pattern, "", text)
    text = re.sub(_URL, "", re.sub(_LINK, r"\1", text))
    text = " ".join(text.split())
    prefix = re.match(_PREFIX, text)
    text = text[prefix.end() :] if prefix else text
    text = text[1:-1] if len(text) > 1 and text[0] in "'\"" and text[0] == text[-1] else text
    text = re.sub(_SUFFIX, "", text)
    text = re.sub(r"(?<=[>)0-9])o(?=[A-Za-z_(0-9-])", " o ", text)
    text = re.sub(_SWIZZLE, r"\1<\2,\3,\4>", text)
    text = re.sub(r"(>)\s*(?=smem_?(?:sub)?_?ptr)", r"\1_", text)
    text = re.sub(_POINTER, lambda match: f"smem_{match[1] or ''}ptr[{match[2]}b]", text)
    text = re.sub(_PLACE, r"\1(\2)", text)
    return re.sub(_UNSET, r"\1(unset)", text)


def without_grid(text: str) -> str:
    """Return the first line alone where print_layout's or print_tensor's table of numbers follows it."""
    first, _, rest = text.strip().partition("\n")
    table = re.fullmatch(r"[-+|0-9.einfa\s]+", rest) and re.search(r"[0-9]", rest)
    return first.rstrip(": ") if table and re.search(r":.*[0-9)]:?\s*$", first) and _balanced(first) else text


def _balanced(line: str) -> bool:
    return line.count("(") == line.count(")")
