"""The experiments beyond single requests, each as one dict of arrays that goes into one file."""

from __future__ import annotations

from . import device, price, tma, wgmma
from .device import ProbeUnavailable


def hopper(quiet: bool = False) -> dict:
    """Run all of tma and wgmma.

    Returns
    -------
    dict
        "about", and arrays: "dump_MODE" and "dump_padded" (tma.dumps), "box_*" (tma.encoder_verdicts), "tma_*"
        (tma.speeds), "product_*" (wgmma.products), "gmma_cycles" (wgmma.speeds), and where
        counters are permitted "gmma_wavefronts" and "gmma_conflicts" (wgmma.operand_reads).
    """
    tma.require_hopper()
    found = {"about": device.about(), "gmma_cycles": wgmma.speeds()}
    parts = {"dump": tma.dumps(), "box": tma.encoder_verdicts(), "tma": tma.speeds(quiet), "product": wgmma.products()}
    parts["gmma"] = _if_permitted(found["about"], wgmma.operand_reads)
    return found | _flat(parts)


def price_of_conflicts(quiet: bool = False) -> dict:
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


def _flat(parts: dict) -> dict:
    return {f"{part}_{name}": values for part, arrays in parts.items() for name, values in arrays.items()}


def _if_permitted(about: dict, count) -> dict:
    try:
        return count()
    except ProbeUnavailable as reason:
        about["no_counters"] = str(reason)
        return {}
