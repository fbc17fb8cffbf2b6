"""Right and wrong answers to each exercise of notebooks 04 to 07 and 09, as test_exercises.py wants them."""

from swizzle_widgets import Swizzle, Tile

VERDICTS = ("true", "false", "depends")


def tile(rows, cols, dtype, numbers, unit="byte", **options):
    return Tile(rows, cols, dtype, swizzle=Swizzle(*numbers), unit=unit, **options)


def verdict(right):
    return [right, right.capitalize()], [word for word in VERDICTS if word != right]


ANSWERS = {
    "04.1": ([0x350], [0x330, 0x360, 0x390]),
    "04.2": ([(8, 512), [8, 512]], [(16, 1024), (8, 1024), (4, 512), (16, 512)]),
    "04.3": ([2], [1, 4, 8]),
    "04.4": ([4], [16, 8, 1]),
    "04.5": ([1], [2, 4]),
    "04.6": (
        ["Sw<4,2,6>", "4, 2, 6", "Swizzle<4,2,6>{}", (4, 2, 6), Swizzle(4, 2, 6)],
        [(4, 2, 2), (4, 2, 4), (4, 8, 6), (2, 4, 6)],
    ),
    "04.7": ([0x3D0], [0x3A0, 0x390]),
    "04.8": ([(3, 4, 4), (4, 4, 4), (4, 3, 4)], [(3, 4, 3), (3, 3, 4), (0, 4, 4), (3, 5, 3)]),
    "05.1": ([0], [256, 512, 448]),
    "05.2": ([4], [1, 2, 8]),
    "05.3": (["<3,1,3>"], ["<3,4,3>", "<3,7,3>", "<3,2,3>"]),
    "05.4": ([512], [0, 256, 448]),
    "05.5": ([(2, 2, 3), (3, 2, 3)], [(2, 4, 3), (2, 3, 3), (1, 2, 3)]),
    "05.6": ([2048], [64, 256, 1024, 4096]),
    "05.7": (
        [tile(64, 32, "f16", (2, 3, 3), "element")],
        [tile(64, 32, "f16", (2, 4, 3), "element"), tile(64, 32, "f16", (3, 3, 3), "element")],
    ),
    "05.8": (
        [tile(64, 256, "e4m3", (3, 4, 4), "element")],
        [
            tile(64, 256, "e4m3", (3, 4, 4)),
            Tile(64, 256, "e4m3", padding=16),
            tile(64, 256, "e4m3", (3, 3, 4), "element"),
            tile(64, 256, "e4m3", (3, 4, 3)),
            Tile(64, 256, "e4m3"),
        ],
    ),
    "06.1": ([3], [2, 4, 0]),
    "06.2": ([5], [0, 3, 4, 8]),
    "06.3": ([2], [0, 1, 3]),
    "06.4": ([[3], (3,), {3}], [[], [2, 3, 5], [1, 3], [1, 2, 3, 4, 5]]),
    "06.5": ([2], [1, 4, 8, 32]),
    "06.6": ([(4, 1, 5), (5, 1, 5)], [(4, 3, 5), (3, 2, 4), (4, 1, 4), (5, 0, 6)]),
    "06.7": (
        [tile(32, 64, "f32", (5, 2, 6)), tile(32, 64, "f32", (5, 0, 6), "element")],
        [tile(32, 64, "f32", (5, 2, 5)), tile(32, 64, "f32", (3, 4, 4)), Tile(32, 64, "f32")],
    ),
    "06.8": ([(96, 24), [96, 24]], [(96, 0), (72, 24), (0, 24), (3, 24), (-16, 24)]),
    "07.1": (["AD", "DA", "ad", "A,D", ["a", "d"], {"A", "D"}, ["A", "D"]], ["A", "B", "ABCD", []]),
    "07.2": ([(2, 4, 3)], [(3, 3, 3), (3, 4, 3), (2, 3, 3)]),
    "07.3": ([(2, "64B"), [2, "64B"]], [(2, "128B"), (1, "64B"), (4, "64B"), (8, "32B")]),
    "07.4": ([8], [4, 16, 32]),
    "07.5": ([(3, 3, 4)], [(3, 4, 3), (3, 4, 4), (3, 3, 3), (4, 2, 4), (4, 3, 4)]),
    "07.6": (
        [tile(64, 32, "e4m3", (1, 4, 3)), tile(64, 32, "e4m3", (1, 4, 3), "element")],
        [tile(64, 32, "e4m3", (3, 3, 3)), tile(64, 32, "e4m3", (2, 4, 3)), Tile(64, 32, "e4m3", padding=16)],
    ),
    "09.1": verdict("depends"),
    "09.2": verdict("depends"),
    "09.3": verdict("true"),
    "09.4": verdict("depends"),
    "09.5": verdict("depends"),
    "09.6": verdict("depends"),
    "09.7": verdict("true"),
    "09.8": verdict("depends"),
    "09.9": verdict("depends"),
    "09.10": verdict("depends"),
    "09.11": verdict("depends"),
    "09.12": verdict("false"),
    "09.13": verdict("false"),
    "09.14": verdict("false"),
    "09.15": verdict("false"),
    "09.16": verdict("false"),
    "09.17": verdict("false"),
    "09.18": verdict("true"),
    "09.19": verdict("false"),
    "09.20": verdict("depends"),
    "09.21": verdict("false"),
    "09.22": verdict("false"),
    "09.23": (
        [tile(32, 32, "f32", (1, 4, 3)), tile(32, 32, "f32", (2, 2, 3), "element")],
        [
            Tile(32, 32, "f32"),
            tile(32, 32, "f32", (0, 4, 3)),
            tile(32, 32, "f32", (3, 4, 3)),
            tile(32, 32, "f32", (1, 3, -3)),
            Tile(32, 32, "f32", padding=4),
        ],
    ),
    "09.24": (
        [
            tile(64, 64, "f16", (3, 3, 3), "element", base_address=3072),
            tile(64, 64, "f16", (3, 4, 3), anchor="address", base_address=4096),
        ],
        [
            tile(64, 64, "f16", (3, 3, 3), "element", base_address=2560),
            tile(64, 64, "f16", (3, 4, 3), anchor="address", base_address=2560),
            tile(64, 64, "f16", (3, 4, 3), "element", base_address=3072),
            Tile(64, 64, "f16", base_address=3072),
        ],
    ),
    "09.25": verdict("depends"),
}
