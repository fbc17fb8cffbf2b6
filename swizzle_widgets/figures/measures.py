"""The numbers of the pictures, in pixels: for the figures and, written into the JavaScript, for the browser."""

from __future__ import annotations

# Sizes of type; nothing is smaller than TEXT.
TEXT, TITLE, COUNT = 11, 13, 20
# Width of a digit in sizes of type: numbers in cells are set narrow.
DIGIT = 0.54
# Space between cells, and between two panels.
GAP, BETWEEN = 1, 24

# A key below a picture: a line, a sample of a cell, the space between two entries, the width of a letter.
KEY_LINE, KEY_CELL, KEY_GAP, LETTER = 17, 22, 14, 6.3

# The tile: a cell's largest width and usual height, and the smallest sizes in one piece.
CELL_WIDEST, CELL_TALL, CELL_NARROWEST, CELL_LOWEST = 26, 13, 3, 6
# Above a tile: its name and its columns, and the words of this axis; beside it: "row", the numbers of frames.
TILE_NAME, TILE_COLUMNS, TILE_AXIS, TILE_ROW, TILE_BADGES = 20, 15, 76, 28, 8
# Below this width a tile's cost stands under its name; name and cost need so much.
ONE_LINE, TILE_LEAST = 440, 240
TILE_BANDS, BETWEEN_ROWS = 16, 14
TALLEST_TILE, BADGE = 840, 7
# The bits of an address inside a word, which is a cell.
CELL_BITS = 5
LEGEND, LEGEND_NAME, LEGEND_KEY, FRAME_LETTERS = 18, 34, 4, 24

# Time: rows, the space between phases; the numbers of the wavefronts on the left, with the names of phases before them.
ROW_TALL, ROW_LOWEST, PHASE_GAP, TIME_LEFT, TIME_PHASES = 14, 1, 4, 34, 68
# A line of a phase's name, the letters that it may have; above the rows: name, verdict and bank axis.
PHASE_LINE, PHASE_LETTERS = 13, 12
TRACK_NAME, TRACK_VERDICT, TRACK_AXIS = 20, 24, 14
BANK_WIDEST, TALLEST_TIME, TWO_TRACKS = 26, 670, 640
# One below the other on a narrow page, tracks may be taller.
TALLEST_NARROW = 760
# The least width of a track beside others, if there are more than two.
TRACK_LEAST = 310
# SwizzleLab: what its tile and its time may take, and the space between them.
LAB_TILE, LAB_TIME, LAB_BETWEEN = 200, 330, 9
# In the browser a tile leaves room for what stands above and below it.
TALLEST_LIVE = 664

# Bits: a column, a row of them, the gap where elements and words begin, the names on the left; above them the fields of
# the layout, the ruler and the names of B, M and S, between them the wires, below them the fields of the hardware.
BIT_WIDE, BIT_TALL, BIT_GAP, BIT_LEFT = 26, 22, 8, 48
BIT_FIELDS, BIT_RULER, BIT_NAMES, BIT_WIRES, BIT_FOOT = 16, 13, 15, 34, 17
BIT_TEXT, LEAST_BITS, BIT_NARROW = 14, 12, 14
# The values beside the bits or below them: their least width, their height with the key of the wires below them and
# beside them; the key's width and a line of it.
BIT_VALUES, BIT_VALUES_TALL, BIT_VALUES_LOW, BIT_KEY_WIDE, BIT_KEY = 230, 138, 92, 160, 15

# The ranking: ways in a row, the small time grids, a cell of the map, what stands above and on the left, a line of its
# key.
WAYS, SMALL_TALL, SMALL_GAP = 3, 64, 10
WAY_WIDE, WAY_TALL, WAY_LEFT, WAY_TOP, WAY_KEY = 36, 18, 44, 34, 22

MEASURES = {name: value for name, value in globals().items() if name.isupper()}
