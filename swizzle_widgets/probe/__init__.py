"""The probe: asks the GPU at hand what the model claims.

`measure` and `python -m swizzle_widgets.probe` need an NVIDIA driver and CuPy; counters need Nsight Compute
besides, and permission to use it. What an H200 answered is in `swizzle_widgets.measured`.
"""

from .device import ProbeUnavailable, connect
from .measure import measure

__all__ = ["ProbeUnavailable", "connect", "measure"]
