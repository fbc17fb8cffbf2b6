"""What axe-core finds wrong with a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe


def violations(page, theme: str = "light") -> list[tuple[str, str, str]]:
    """Return the impact, the rule and the first element of each; in the dark only of the colors, which differ."""
    options = {"runOnly": ["color-contrast", "link-in-text-block"]} if theme == "dark" else {}
    found = Axe().run(page, options=options).response["violations"]
    return [(item["impact"], item["id"], item["nodes"][0]["html"]) for item in found]
