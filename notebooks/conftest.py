"""What every notebook test shares."""


def pytest_collectstart(collector):
    """Compare no stderr: libraries write there on their first use (a font cache being built) and never again."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("stderr",)
