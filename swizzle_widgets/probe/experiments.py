"""The experiments beyond single requests, each as one dict of arrays that goes into one file."""

from __future__ import annotations

from typing import Any

from ..measured.atomics import requests
from ..measured.cp_async import destinations
from . import atomics, cp_async, device, price, tma, wgmma, whole_copies
from .device import ProbeUnavailable


def hopper(quiet: bool = False) -> dict[str, Any]:
    """Run all of tma and wgmma.

    Returns
    -------
    dict
        "about", and arrays: "dump_MODE" and "dump_padded" (tma.dumps), "box_*" (tma.encoder_verdicts), "tma_*"
        (tma.speeds), "product_*" (wgmma.products), "gmma_cycles" (wgmma.speeds), and where
        counters are permitted "gmma_*" (wgmma.operand_reads).
    """
    tma.require_hopper()
    found = {"about": device.about(), "gmma_cycles": wgmma.speeds()}
    parts = {"dump": tma.dumps(), "box": tma.encoder_verdicts(), "tma": tma.speeds(quiet), "product": wgmma.products()}
    parts["gmma"] = _if_permitted(found["about"], wgmma.operand_reads)
    return found | _flat(parts)


def price_of_conflicts(quiet: bool = False) -> dict[str, Any]:
    """Run all of price.

    Returns
    -------
    dict
        "about" (with the clock's rate), and arrays: "transpose_seconds" (price.transposes),
        "stream_seconds" and "stream_read_seconds" (price.streams), and where counters are permitted
        "counted_transpose" and "counted_stream" (price.counted).
    """
    if device.capability() < 80:
        raise ProbeUnavailable(
            f"The tile pipeline needs cp.async, sm_80 or newer; this GPU is sm_{device.capability()}."
        )
    found = {"about": device.about() | {"clock_hertz": price.clock_hertz()}}
    parts = {"transpose": price.transposes(quiet), "stream": price.streams(quiet)}
    parts["counted"] = _if_permitted(found["about"], price.counted)
    return found | _flat(parts)


def copies_from_l2(quiet: bool = False) -> dict[str, Any]:
    """Run all of cp_async.

    Returns
    -------
    dict
        "about" (with the "digest" of the requests), "cycles" (cp_async.cycles), and where counters are permitted
        "counted_read" (cp_async.bytes_read).
    """
    found = {"about": device.about() | {"digest": destinations().requests.digest()}, "cycles": cp_async.cycles(quiet)}
    return found | _flat({"counted": _if_permitted(found["about"], lambda: {"read": cp_async.bytes_read()})})


def atomics_on_shared(quiet: bool = False) -> dict[str, Any]:
    """Run all of atomics.

    Returns
    -------
    dict
        "about", "addresses" and "active" (measured.atomics.requests), "cycles" (atomics.cycles), and where counters are
        permitted "counted_all" (atomics.counts).
    """
    addresses, active = requests()
    found = {"about": device.about(), "addresses": addresses, "active": active, "cycles": atomics.cycles(quiet)}
    return found | _flat({"counted": _if_permitted(found["about"], lambda: {"all": atomics.counts(quiet)})})


def copies_of_tiles(quiet: bool = False) -> dict[str, Any]:
    """Run all of whole_copies.

    Returns
    -------
    dict
        "about", "places_NAME" (whole_copies.places), and where counters are permitted "counted_NAME"
        (whole_copies.counted).
    """
    cubin = whole_copies.cubin()
    found = {"about": device.about()} | _flat({"places": whole_copies.places(cubin)})
    return found | _flat({"counted": _if_permitted(found["about"], lambda: whole_copies.counted(cubin))})


def _flat(parts: dict[str, Any]) -> dict[str, Any]:
    return {f"{part}_{name}": values for part, arrays in parts.items() for name, values in arrays.items()}


def _if_permitted(about: dict[str, Any], count) -> dict[str, Any]:
    """What `count` returns; nothing, and the reason in `about`, where counters are not permitted."""
    try:
        return count()
    except ProbeUnavailable as reason:
        about["no_counters"] = str(reason)
        return {}
