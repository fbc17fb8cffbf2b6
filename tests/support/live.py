"""Widgets in a browser page without Jupyter: their own modules and style, and models that live in the page."""

from __future__ import annotations

import json

from swizzle_widgets.widgets.generated import ROOM, style_text

ORIGIN = "https://widgets.test"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Widgets</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="style.css"></head>
<body><main><h1>Widgets</h1></main></body></html>"""

# What JupyterLab 4 itself sets in its two themes, so that the page looks as a notebook does there.
THEMES = {
    "light": {
        "--jp-ui-font-color1": "rgba(0, 0, 0, 0.87)", "--jp-ui-font-color2": "rgba(0, 0, 0, 0.54)",
        "--jp-border-color2": "#e0e0e0", "--jp-layout-color1": "white", "--jp-layout-color2": "#eeeeee",
        "--jp-brand-color1": "#1976d2",
    },
    "dark": {
        "--jp-ui-font-color1": "rgba(255, 255, 255, 0.87)", "--jp-ui-font-color2": "rgba(255, 255, 255, 0.54)",
        "--jp-border-color2": "#616161", "--jp-layout-color1": "#111111", "--jp-layout-color2": "#212121",
        "--jp-brand-color1": "#1976d2",
    },
}  # fmt: skip

MOUNT = """
async (views) => {
  const { PageModel } = await import("./page_model.js");
  class CountingModel extends PageModel {
    listening = 0;
    on(...listener) {
      this.listening++;
      super.on(...listener);
    }
    off(...listener) {
      this.listening--;
      super.off(...listener);
    }
  }
  globalThis.models = [];
  globalThis.cleanups = [];
  for (const { file, state } of views) {
    const el = document.createElement("div");
    document.querySelector("main").append(el);
    const model = new CountingModel(state);
    models.push(model);
    cleanups.push(await (await import(`./${file}`)).default.render({ model, el }));
  }
}
"""


class LivePage:
    """A page on which widgets live; `problems` collects what the page reports as an error."""

    def __init__(self, page):
        self.page = page
        self.problems = []
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        self.files = {
            "": ("text/html", PAGE),
            "style.css": ("text/css", style_text()),
            "page_model.js": ("text/javascript", (ROOM / "js" / "page_model.js").read_text(encoding="utf-8")),
        }
        page.route(f"{ORIGIN}/**", self._serve)

    def show(self, *widgets, theme: str = "light") -> None:
        """Show widgets one under the other, in a new document, and wait until they are drawn."""
        css = "".join(f"{name}: {value}; " for name, value in THEMES[theme].items())
        body = f"body {{ {css}background: var(--jp-layout-color1); color: var(--jp-ui-font-color1) }}"
        self.files["style.css"] = ("text/css", f"{style_text()}\n{body}")
        self.page.goto(f"{ORIGIN}/")
        self.page.evaluate("(light) => (document.body.dataset.jpThemeLight = light)", str(theme == "light").lower())
        self.mount(*widgets)

    def mount(self, *widgets) -> None:
        """Show widgets in the present document and wait until they are drawn."""
        views = []
        for widget in widgets:
            file = f"{type(widget).__name__}.js"
            self.files[file] = ("text/javascript", widget._esm)
            views.append({"file": file, "state": traits(widget)})
        self.page.evaluate(MOUNT, views)
        self.frames()

    def set(self, **change) -> None:
        """Set traits of the first widget, all at once."""
        self.page.evaluate("(change) => models[0].set(change)", change)
        self.frames()

    def get(self, name: str):
        """Return a trait of the first widget."""
        return self.page.evaluate("(name) => models[0].get(name)", name)

    def frames(self, count: int = 2) -> None:
        """Wait until the browser has painted a few frames."""
        frames(self.page, count)

    def _serve(self, route):
        kind, body = self.files[route.request.url.removeprefix(f"{ORIGIN}/")]
        route.fulfill(content_type=kind, body=body)


def frames(page, count: int = 3) -> None:
    """Wait until the browser has painted a few frames."""
    page.evaluate(
        "(n) => new Promise((done) => { const f = () => (n-- ? requestAnimationFrame(f) : done()); f(); })", count
    )


def traits(widget) -> dict:
    """Return the state that the browser is sent, without what every ipywidget has."""
    own = (name for name in widget.keys if not name.startswith("_") and name not in ("layout", "tooltip", "tabbable"))
    return json.loads(json.dumps(widget.get_state(list(own))))
