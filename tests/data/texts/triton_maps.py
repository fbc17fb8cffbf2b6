"""Makes triton.json: texts that Triton 3.9.0 prints for shared layouts, and where it puts the elements.

Run with Triton installed: python triton_maps.py > triton.json. No GPU is needed.
Each entry: text (a memdesc, the layout inside), shape, bits of an element,
checksum: the sum of (k + 1) times the k-th element's offset, rows first,
modulo 2^31 - 1.
"""

import json

import numpy as np
from triton._C.libtriton import gluon_ir, ir


def offsets(linear, shape):
    """Element offset of each coordinate: the linear layout maps bits of the offset to coordinates by XOR."""
    bases = linear.offset_bases
    total = 1 << len(bases)
    coordinates = np.zeros((total, len(shape)), np.int64)
    numbers = np.arange(total)
    for bit, base in enumerate(bases):
        coordinates[numbers >> bit & 1 == 1] ^= np.array(base, np.int64)
    table = np.zeros(shape, np.int64)
    table[tuple(coordinates.T)] = numbers
    return table


def checksum(table):
    """Return the sum of (k + 1) times the k-th entry, modulo 2^31 - 1."""
    return int(sum((k + 1) * int(value) for k, value in enumerate(table.ravel())) % 2147483647)


def main():
    """Print the entries."""
    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    entries = []

    def add(layout, shape, bits, linear=None, pads=()):
        """One entry; a padded layout is a linear one with `padding` offsets put in behind every `interval`."""
        table = offsets(builder.to_linear_layout(linear or layout, shape), shape)
        table = table + sum(table // interval * padding for interval, padding in pads)
        element = {8: builder.get_int8_ty, 16: builder.get_half_ty, 32: builder.get_float_ty}[bits]()
        text = str(builder.get_shared_mem_desc_ty(element, shape, layout, shape))
        entries.append({"text": text, "shape": shape, "bits": bits, "checksum": checksum(table)})

    for bits in (8, 16, 32):
        for width in (0, 32, 64, 128):
            for transposed in (False, True):
                least = max(8 * width // bits, 8)
                for shape in (
                    [64, 64],
                    [64, 256],
                    [256, 64],
                    [512, 512 * 8 // bits],
                    [16, 128],
                    [128, 128],
                    [8, 512],
                    [512, 8],
                ):
                    inner = shape[0] if transposed else shape[1]
                    other = shape[1] if transposed else shape[0]
                    if inner >= least and other >= 8 and shape[0] * shape[1] * bits // 8 <= 200000:
                        add(builder.get_nvmma_shared_layout(width, bits, transposed, False, [], 2), shape, bits)
                if not transposed and width:
                    add(builder.get_nvmma_shared_layout(width, bits, False, False, [], 3), [2, 64, 128], bits)
    for vec in (1, 2, 4, 8, 16):
        for per_phase in (1, 2, 4):
            for max_phase in (1, 2, 4, 8, 16):
                for order in ([1, 0], [0, 1]):
                    for shape in ([64, 64], [32, 128], [128, 16]):
                        if vec * max_phase <= shape[order[0]]:
                            add(builder.get_swizzled_shared_layout(vec, per_phase, max_phase, order, []), shape, 16)
    add(builder.get_swizzled_shared_layout(8, 1, 8, [2, 1, 0], []), [3 + 1, 64, 64], 16)
    for order in ([1, 0], [0, 1]):
        plain = builder.get_swizzled_shared_layout(1, 1, 1, order, [])
        for shape in ([64, 128], [32, 32]):
            bases = []
            for dim in order:
                bases += [[0] * dim + [1 << bit] + [0] * (1 - dim) for bit in range(shape[dim].bit_length() - 1)]
            for pads in ([(128, 8)], [(64, 4)], [(64, 4), (256, 16)], [(32, 1), (128, 8), (512, 32)]):
                layout = builder.get_padded_shared_layout([a for a, _ in pads], [b for _, b in pads], bases, [], shape)
                add(layout, shape, 16, plain, pads)
            swapped = [bases[1], bases[0], *bases[2:]]
            layout = builder.get_padded_shared_layout([64], [8], swapped, [], shape)
            add(layout, shape, 16, builder.get_shared_linear_layout(swapped, [], 16), [(64, 8)])
    print(json.dumps(entries, indent=0))


main()
