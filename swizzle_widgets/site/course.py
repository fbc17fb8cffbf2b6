"""What the site says of the course as a whole: what each notebook needs and leaves, the short path, the terms."""

from __future__ import annotations

OUTCOMES = {
    "01": {
        "needs": "a CUDA kernel with __shared__ written once",
        "leaves": "say the bank of any byte address; count the wavefronts of 4-, 8- and 16-byte requests by hand",
        "removes": "two lanes in one bank always conflict; a 16-byte load is a 4-way conflict",
    },
    "02": {
        "needs": "01",
        "leaves": "explain from the stride why a column conflicts and by how much; give padding and its price",
        "removes": "columns are slow; padding is free",
    },
    "03": {
        "needs": "01, 02, binary numbers",
        "leaves": "build a conflict-free column with XOR, and say why no element is lost",
        "removes": "swizzling shifts the row; any XOR works",
    },
    "04": {
        "needs": "03",
        "leaves": "read the three fields off a picture of the bits, for both signs of S; predict a change",
        "removes": "B is always 3; S is the width of a row",
    },
    "05": {
        "needs": "04",
        "leaves": "convert a swizzle between bytes and elements; read what CuTe prints",
        "removes": "Sw<3,3,3> and Sw<3,4,3> are rivals",
    },
    "06": {
        "needs": "04, 05",
        "leaves": "derive B, M and S from the access and the row; weigh two; say from which rows on one stays clean",
        "removes": "always <3,4,3>; narrow rows cannot be swizzled; clean in row 0 is clean everywhere",
    },
    "07": {
        "needs": "05, 06",
        "leaves": "say in each unit what <3,4,3> and <3,3,3> do, and which of them is a mode of TMA",
        "removes": "<3,3,3> is the 64-byte swizzle",
    },
    "08": {
        "needs": "05, CuTe's layouts",
        "leaves": "write the copy and the read as CuTe does, in C++ and in the DSL, and check both by printing",
        "removes": "it compiles, so the layout is right; checking one row proves it",
    },
    "09": {
        "needs": "01 to 06",
        "leaves": "doubt a plausible sentence, and decide it in one cell",
        "removes": "about a dozen of the most repeated claims",
    },
    "10": {
        "needs": "01, 06",
        "leaves": "compare a prediction with Nsight Compute, name the counters, and measure again",
        "removes": "the profiler's conflict number is the cost; WGMMA needs a swizzle to avoid conflicts",
    },
    "11": {
        "needs": "01 to 07",
        "leaves": "answer what kernel authors ask in public, with one line each",
        "removes": "somebody in the thread must be right",
    },
    "12": {
        "needs": "05",
        "leaves": "see a printed layout, dumped addresses, a copy or a profile of your own, and hold it in a test",
        "removes": "it is only for teaching",
    },
}

# Where somebody with five minutes should look: the notebook, and the words of the heading there.
HURRY = ("01", "02", "03", "05", "07")

TERMS = {
    "bank": "one of the 32 columns of shared memory; each delivers one 4-byte word a wavefront",
    "word": "4 bytes of shared memory, at a multiple of 4",
    "lane": "one of the 32 threads of a warp",
    "warp": "32 threads that issue one instruction together",
    "request": "what one instruction of a warp asks of shared memory",
    "phase": "the lanes of a request that are served together: 32, 16 or 8 of them",
    "wavefront": "one trip to shared memory, in which each bank delivers at most one word",
    "ideal": "the fewest wavefronts that a request can take: one a phase",
    "conflict": "a wavefront beyond the ideal",
    "broadcast": "several lanes that want the same word, and share it",
    "stride": "how far apart in memory two neighbors of a row or a column are",
    "padding": "unused elements behind each row, so that rows begin in different banks",
    "swizzle": "a permutation of places that XORs some bits of an offset, or of an address, into others",
    "granule": "the units that a swizzle keeps together and in order: 2^M of them",
    "period": "the distance after which a swizzle repeats itself: 2^(B + M + |S|) units",
    "unit": "what a swizzle counts: bytes of an address, or elements of a layout",
    "layout": "CuTe's shape:stride, a map from coordinates to offsets",
    "tile": "a matrix in shared memory",
    "atom": "a small swizzled tile that is repeated to fill a larger one",
    "stage": "one of several equal tiles that a pipeline fills in turn",
    "ldmatrix": "the instruction that loads 8x8 matrices of 16-bit elements by their row addresses",
    "stmatrix": "the instruction that stores them",
    "cp.async": "the instruction that copies from global to shared memory without registers",
    "TMA": "Hopper's copy engine, which moves whole boxes and can swizzle them",
    "WGMMA": "Hopper's matrix instruction of four warps, with B in shared memory and A there or in registers",
}
