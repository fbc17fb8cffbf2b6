"""What would answer a question before it is asked: for each, what once did, and what must not be seen earlier.

A pattern is searched in all that stands before the question, in its notebook and in those before it: text, code and
outputs, also those that are folded there, since by now they have been run. Each finds the answer where it is told.
"""

from __future__ import annotations

# An exercise that nothing gave away; but nothing answered it either on a page without a kernel.
NOTHING = "nothing"

# number: (what gave it away, patterns)
GIVEAWAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "01.1": ("the picture below it", (r"\| 200 \|[^\n]*\| 18 \|", r"byte 200\b.{0,40}\bbank 18")),
    "01.2": ("the saved picture below it", (r"every second word:.{0,40}\b2 wavefront", r"\| 2 \| 2 \| 1 \|")),
    "01.3": ("the saved picture below it", (r"8x64 f16, LDS\.U16, row 0:.{0,40}\b1 wavefront", r"halves\) \| 1 \|")),
    "01.4": ("the saved picture below it", (r"512 bytes.*(4|four) wavefronts", r"LDS\.128: 4 wavefronts")),
    "01.5": (NOTHING, (r"1000 plus or minus", r"\b(872|1128)\b")),
    "01.7": (NOTHING, (r"8 wavefronts, ideal 4, 4 conflicts",)),
    "01.8": (NOTHING, (r"LDS\.64: 4 wavefronts",)),
    "02.1": ("the saved picture below it", (r"8x32 f32, LDS\.32, column 0:.{0,40}8 wavefronts",)),
    "02.2": ("the saved picture below it", (r"32x24 f32.{0,60}8 wavefronts", r"\| 8 \| 8 24 40")),
    "02.3": ("the error that the cell below it printed", (r"not a multiple of the access width", r"misaligned")),
    "02.4": ("the verdict of the saved picture below it", (r"ldmatrix\.x4.*\b32 wavefronts",)),
    "02.6": (NOTHING, (r"[Rr]ows of 64 bytes.{0,40}16 wavefronts",)),
    "03.1": ("the diagram below it, set to row 21, column 6", (r"row=21, col=6", r"row 21, column 6.*bank 19")),
    "03.2": (NOTHING, (r"banks of column 3", r"11 10 9 8")),
    "03.3": ("the saved race below it", (r"Sw<4,1,4> in f32 elements after 2\b", r"k = 2\b.{0,40}2 wavefronts")),
    "03.4": ("the note below it names the swizzle", (r"multiple of 4", r"Sw<3,2,3>")),
    "03.5": (NOTHING, (r"\b828\b",)),
    "03.7": (NOTHING, (r"12, 20 or 28", r"k = (12|20|28)\b")),
    "03.8": (NOTHING, (r"k = 24\b",)),
    "04.1": ("the table below it holds 0x330", (r"0x350", r"001101010000")),
    "04.2": ("the panel at the top computes it", (r"Sw<2,3,4>.*\b512\b", r"Swizzle\(2, 3, 4\).*\b512\b")),
    "04.3": ("the sweep below it", (r"`Sw<4,4,4>`[^\n]*\| 2 \|$",)),
    "04.4": ("the table below it", (r"^\| 0 \| 4 \|", r"share 4 places")),
    "04.5": ("the table below it", (r"8 x 32 \|[^\n]*\| 4 \| 1 \|",)),
    "04.6": (NOTHING, (r"Sw<4,2,6>", r"Swizzle\(4, 2, 6\)")),
    "04.7": (NOTHING, (r"0x3d0",)),
    "04.8": (NOTHING, (r"Sw<[34],4,4>.*256", r"256.*Sw<3,4,4>")),
    "05.1": ("the text below it", (r"Sw<3,3,3> in f16 elements = Sw<3,4,3>", r"Sw<3,4,3> in bytes = Sw<3,3,3>")),
    "05.2": ("the sweep of notebook 04 (then with other numbers)", (r"Sw<3,2,3> in bytes.*4",)),
    "05.3": ("the table below it", (r"Sw<3,1,3>", r"Swizzle\(3, 1, 3\)")),
    "05.4": ("the table below it", (r"512 of 512",)),
    "05.5": (NOTHING, (r"Sw<2,2,3>", r"Swizzle\(2, 2, 3\)")),
    "05.6": (NOTHING, (r"= 2048\b", r"\b2048 bytes")),
    "06.1": ("the text below it", (r"8 bytes.*M = 3\b", r"choose\(8")),
    "06.2": ("the picture above it and 04.8: rows of the same length", (r"9 - 4 = 5", r"512[^\n]*Sw<3,4,5>")),
    "06.3": ("the text below it", (r"64-byte rows.*Sw<2,4,3>", r"rows of 64.*Sw<2,4,3>")),
    "06.4": ("the table below it", (r"in bytes only",)),
    "06.5": ("the table below it", (r"Sw<4,3,4>.*2 of 1", r"Sw<4,3,4> +2/1")),
    "06.6": (NOTHING, (r"Sw<4,1,5>",)),
    "06.8": (NOTHING, (r"saves 96",)),
    "07.1": ("05 ran two of the four on this very column", (r"Sw<3,4,3> in f16 elements.*2 wavefronts",)),
    "07.2": ("05 listed the modes", (r"64B.{0,40}Sw<2,4,3>", r"Sw<2,4,3>.{0,60}64B", r'"64B", 2')),
    "07.3": ("the table below it", (r"Sw<2,3,3>.*64B", r"Sw<2,3,3>.*Sw<2,4,3>")),
    "07.4": ("05 read this tile 16 bytes a lane", (r"Sw<3,4,3> in f16 elements.*(2|8) wavefronts",)),
    "07.5": (NOTHING, (r"Sw<3,3,4> in bytes", r"0, 2, 4, 6, 8, 10, 12, 14")),
    "08.1": ("the printed stride of the tile above it", (r"_1,_8192", r"\b8192 halves")),
    "08.2": ("the count below it", (r"\b6144\b",)),
    "10.1": ("the cell below it", (r"column 0: model 32 wavefronts.* cycles",)),
    "10.2": ("the list below it", (r"all share.*2 wavefronts", r"one address.*2 wavefronts")),
    "10.3": ("the counts below it", (r"pipe 2\b",)),
    "10.4": ("the table below it", (r"\b16\.0 +31\.9",)),
    "10.5": ("the table below it", (r"\b2\.53\b",)),
    "10.7": (NOTHING, (r"\b6\.\d readings",)),
    "11.2": (NOTHING, (r"LDS\.64: 8 wavefronts, ideal 2, 6",)),
    "11.1": (NOTHING, (r"M = 3, B = 2, and S = 2", r"tf32.{0,99}Sw<2,5,2>")),
}  # fmt: skip
