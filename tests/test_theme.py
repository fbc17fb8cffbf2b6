"""The banks' colors: readable numbers on each, and eight groups that every eye can tell apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from swizzle_widgets.theme import (
    BANK_COLORS,
    BANK_INKS,
    BANK_TINTS,
    BLACK,
    GROUP_SHADES,
    WHITE,
    contrast,
    luminance,
)

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency" (2009): the matrices of severity 1.0, which act on linear RGB.
VISIONS = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}

# Ottosson, "A perceptual color space for image processing" (2020).
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(color: str) -> np.ndarray:
    channels = np.array(list(bytes.fromhex(color[1:]))) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def oklab(color: str, vision: str = "full") -> np.ndarray:
    """The color as an eye of that vision sees it: lightness, a, b."""
    seen = np.clip(VISIONS[vision] @ linear(color), 0, 1)
    return TO_OKLAB @ np.cbrt(TO_CONES @ seen)


def test_the_formulas_give_known_values():
    assert luminance("#ffffff") == pytest.approx(1)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    # The gray that WCAG's own examples give as the lightest with 4.5 on white.
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert oklab("#ffffff") == pytest.approx([1, 0, 0], abs=1e-4)
    assert oklab("#ff0000") == pytest.approx([0.628, 0.2249, 0.1258], abs=1e-3)
    for vision, matrix in VISIONS.items():
        assert matrix.sum(axis=1) == pytest.approx([1, 1, 1], abs=2e-5), f"{vision} does not keep gray gray"


def test_the_simulation_confuses_what_it_should():
    """The test below can fail: red and a matching green are one color to a protanope."""
    apart = {vision: np.linalg.norm(oklab("#8b4500", vision) - oklab("#5d5d00", vision)) for vision in VISIONS}
    assert apart["protanopia"] < 0.08 < apart["full"]


def test_there_are_32_different_colors_in_groups_of_four():
    assert len(set(BANK_COLORS)) == len(BANK_COLORS) == len(BANK_INKS) == 32
    assert [BANK_COLORS[i : i + 4] for i in range(0, 32, 4)] == list(GROUP_SHADES)
    assert {len(group) for group in GROUP_SHADES} == {4}


@pytest.mark.parametrize("bank", range(32))
def test_a_number_can_be_read_on_its_color(bank):
    color, ink = BANK_COLORS[bank], BANK_INKS[bank]
    assert contrast(ink, color) == max(contrast(BLACK, color), contrast(WHITE, color))
    assert contrast(ink, color) >= 4.5


def test_a_number_can_be_read_on_every_tint():
    assert min(contrast(BLACK, tint) for tint in BANK_TINTS) >= 7


@pytest.mark.parametrize("vision", VISIONS)
def test_shades_of_two_groups_stay_apart(vision):
    seen = [[oklab(shade, vision) for shade in group] for group in GROUP_SHADES]
    apart = {
        (i, j): min(np.linalg.norm(one - other) for one in seen[i] for other in seen[j])
        for i, j in combinations(range(len(seen)), 2)
    }
    closest = min(apart, key=apart.get)
    assert apart[closest] >= 0.08, f"groups {closest} are {apart[closest]:.3f} apart to {vision}"


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("group", range(8))
def test_the_four_shades_of_a_group_get_darker(group, vision):
    lightness = [oklab(shade, vision)[0] for shade in GROUP_SHADES[group]]
    assert lightness == sorted(lightness, reverse=True)
    assert min(-np.diff(lightness)) > 0.01
