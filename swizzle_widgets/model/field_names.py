"""Names of instructions as SASS, PTX and CuTe spell them, in the names that `access_names` reads."""

from __future__ import annotations

import re
from collections.abc import Callable

_SASS_MATRIX = re.compile(r"(LD|ST)SM(?:\.16)?(?:\.(M|MT)88(?:\.([24]))?)?", re.IGNORECASE)
_PTX_MATRIX = re.compile(
    r"(ld|st)matrix(?:\.sync)?(?:\.aligned)?(?:\.m8n8)?(\.x[124])?(\.trans)?(?:\.shared(?:::cta)?)?(?:\.b16)?"
)
_CUTE_MATRIX = re.compile(r"SM\d+_U(?:32x([124])_(LD|ST)SM_N|16x([248])_(LD|ST)SM_T)")
_SASS_ASYNC = re.compile(r"LDGSTS\.E(\.BYPASS)?(?:\.(64|128))?(?:\.\w+)*", re.IGNORECASE)
_PTX_ASYNC = re.compile(r"(cp\.async\.c[ag])\.shared(?:::cta)?\.global(?:\.L2::\w+)*")
_CUTE_ASYNC = re.compile(r"SM80_CP_ASYNC_CACHE(GLOBAL|ALWAYS)(?:_ZFILL)?(?:<\s*(?:cute::)?uint(32|64|128)_t\s*>)?")
_LINES = re.compile(
    r"(LDS|STS|ATOMS|(?:ld|st|atom|red)\.shared)((?:::cta|\.\w+)*)|(?:Universal|AutoVectorizing)\w*Copy\w*(?:<.*>)?",
    re.IGNORECASE,
)
_STORES = ("sts", "st.shared")
_ATOMICS = ("atoms", "atom.shared", "red.shared")
_REFUSED = (
    (
        re.compile(r"(?:wgmma|[HIQ]?GMMA)\b.*", re.IGNORECASE),
        "reads its operands by descriptor, without a bank conflict in any mode: name what else reads or writes the "
        "tile, such as stmatrix or the accumulator wgmma.m64n128.D",
    ),
    (
        re.compile(r"tma|cp\.async\.bulk\b.*|UTMA\w+.*|SM\d+_TMA_\w+.*|UBLKCP.*", re.IGNORECASE),
        "is no request of a warp's lanes: name what else reads or writes the tile, such as ldmatrix",
    ),
    (
        re.compile(r"mma(?:\.sync.*)?|[HIQ]MMA\b.*|SM\d+_16x8x\w+", re.IGNORECASE),
        "takes its operands from registers: name the one that is loaded or stored, such as m16n8k16.A or ldmatrix",
    ),
    (re.compile("LDGSTS|SM80_CP_ASYNC"), "does not say its cache: name cp.async.cg or cp.async.ca"),
)


def usual_name(name: str) -> str | None:
    """Return the name of an access for one of the field, such as "ldmatrix.x4" for LDSM.16.M88.4; None for others.

    Raises
    ------
    ValueError
        If it names an instruction, but not which elements are wanted; the message has names that work.

    Examples
    --------
    >>> usual_name("LDSM.16.MT88.4"), usual_name("LDGSTS.E.BYPASS.128"), usual_name("SM90_U32x2_STSM_N")
    ('ldmatrix.x4.trans', 'cp.async.cg', 'stmatrix.x2')
    """
    for pattern, read in _READERS:
        if found := pattern.fullmatch(name):
            return read(found)
    for pattern, why in _REFUSED:
        if pattern.fullmatch(name):
            raise ValueError(f"access {name!r} {why}")
    if found := _LINES.fullmatch(name):
        raise ValueError(f"access {name!r} says how, but not which elements the lanes want: {_directions(found)}")
    return None


def _sass_matrix(found: re.Match[str]) -> str:
    which = f"{found[1].lower()}matrix"
    if not found[2]:
        return which
    return f"{which}.x{found[3] or 1}{'.trans' if found[2].upper() == 'MT' else ''}"


def _cute_matrix(found: re.Match[str]) -> str:
    if found[1]:
        return f"{found[2].lower()}matrix.x{found[1]}"
    return f"{found[4].lower()}matrix.x{int(found[3]) // 2}.trans"


def _async(is_global: bool, bits: str | None) -> str:
    return "cp.async.cg" if is_global else f"cp.async.ca:{int(bits or 32) // 8}"


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_SASS_MATRIX, _sass_matrix),
    (_PTX_MATRIX, lambda found: f"{found[1]}matrix{found[2] or ''}{found[3] or ''}"),
    (_CUTE_MATRIX, _cute_matrix),
    (_SASS_ASYNC, lambda found: _async(bool(found[1]), found[2])),
    (_PTX_ASYNC, lambda found: found[1]),
    (_CUTE_ASYNC, lambda found: _async(found[1] == "GLOBAL", found[2] or "128")),
)


def _directions(found: re.Match[str]) -> str:
    """The names that say which elements, in the width and the direction of the instruction."""
    which = (found[1] or "").lower()
    kind = "store." if which in _STORES else "atomic." if which in _ATOMICS else ""
    parts = (found[2] or "").lower()
    counts = re.search(r"\.v([248])\b", parts)
    bits = re.search(r"\.[a-z]?(8|16|32|64|128)\b", parts)
    size = int(bits[1]) // 8 * int(counts[1] if counts else 1) if bits else 0
    width = f":{size}" if size else ""
    return (
        f"name {kind}row{width} or {kind}column{width}, an operand such as {kind}m16n8k16.C, or tv=LAYOUT/tiler=16x64"
    )
