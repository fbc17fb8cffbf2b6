"""Real servers for a real browser: start one, open a notebook in JupyterLab, run it, ask its kernel."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
from nbclient import NotebookClient

READY_S = 90

# Each application with the address of a notebook, and the option that lets a test talk to it.
APPLICATIONS = {
    "jupyterlab": ("lab/tree", "LabApp"),
    "notebook": ("notebooks", "JupyterNotebookApp"),
}


class Server:
    """A program that serves pages on a free port; it is started, and stopped by `close`.

    Parameters
    ----------
    root : Path
        The folder it runs in; its settings and its log go there, too.
    command : callable
        Returns the arguments after `python -m` for a port.
    ready : str
        A path of the server that answers once it is up.
    """

    def __init__(self, root: Path, command, ready: str = ""):
        self.root = root
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        names = ("CONFIG", "RUNTIME", "DATA")
        environment = {
            **os.environ,
            **{f"JUPYTER_{name}_DIR": str(root / name.lower()) for name in names},
            "JUPYTERLAB_SETTINGS_DIR": str(root / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(root / "workspaces"),
            "IPYTHONDIR": str(root / "ipython"),
        }
        self.log = (root / "server.log").open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command(self.port)], env=environment, stdout=self.log, stderr=self.log, cwd=root
        )
        self._wait(f"{self.url}/{ready}")

    def close(self) -> None:
        """Stop the server and its kernels."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        self.process.kill()
        self.log.close()

    def _wait(self, url: str) -> None:
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(url, timeout=2)
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.2)
        raise RuntimeError(f"the server did not start: {(self.root / 'server.log').read_text()[-2000:]}")


class LabServer(Server):
    """A JupyterLab or a Notebook 7 on a free port, serving a folder of its own."""

    def __init__(self, root: Path, application: str = "jupyterlab"):
        self.token = secrets.token_hex(16)
        self.path, trait = APPLICATIONS[application]
        quiet = root / "settings" / "@jupyterlab" / "apputils-extension"
        quiet.mkdir(parents=True)
        # JupyterLab asks on its first start whether it may fetch news; a test needs no answer.
        (quiet / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')

        def command(port):
            return [
                *(application, "--no-browser", "--allow-root", "--ServerApp.port_retries=0", f"--port={port}"),
                *("--ip=127.0.0.1", f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={root}"),
                f"--{trait}.expose_app_in_browser=True",
            ]

        super().__init__(root, command, f"api?token={self.token}")

    def address(self, name: str) -> str:
        """Return where a notebook opens."""
        return f"{self.url}/{self.path}/{name}?token={self.token}&reset"

    def write(self, name: str, sources: list[str]) -> str:
        """Write a notebook of code cells and return its name."""
        nbformat.write(code_notebook(*sources), self.root / name)
        return name


class LabNotebook:
    """A notebook that is open in JupyterLab, with its kernel; a page that shows a notebook opens the next beside it."""

    def __init__(self, server: LabServer, page, name: str):
        self.page = page
        self.before = page.evaluate("() => window.jupyterapp?.shell.currentWidget?.id")
        if not page.evaluate(
            "async (path) => !!(await window.jupyterapp?.commands.execute('docmanager:open', { path }))", name
        ):
            page.goto(server.address(name), wait_until="domcontentloaded")
        page.wait_for_function(
            """(path) => {
                const shown = window.jupyterapp?.shell?.currentWidget;
                return shown?.context?.path === path && shown.content?.widgets?.length;
            }""",
            arg=name,
            timeout=60_000,
        )
        page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.ready")

    def close(self) -> None:
        """Shut the kernel down and show what was shown before it opened."""
        self.page.evaluate(
            """async (before) => {
                const { shell } = window.jupyterapp;
                await shell.currentWidget.sessionContext.shutdown();
                shell.currentWidget.dispose();
                shell.activateById(before);
            }""",
            self.before,
        )
        self.page.wait_for_function("(before) => window.jupyterapp.shell.currentWidget?.id === before", arg=self.before)

    def run(self) -> None:
        """Run all cells and wait until the kernel is idle."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")

    def start_cell(self, index: int) -> None:
        """Start one cell and do not wait for it."""
        self.page.evaluate(
            """(index) => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                notebook.activeCellIndex = index;
                window.jupyterapp.commands.execute('notebook:run-cell');
            }""",
            index,
        )

    def python(self, code: str) -> str:
        """Run code in the notebook's kernel, outside its cells, and return what it printed."""
        return self.page.evaluate(
            """async (code) => {
                const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({ code, store_history: false });
                let text = '';
                future.onIOPub = ({ header, content }) => {
                    if (header.msg_type === 'stream') text += content.text;
                    if (header.msg_type === 'error') text += content.ename + ': ' + content.evalue;
                };
                await future.done;
                return text.trim();
            }""",
            code,
        )

    def value(self, expression: str):
        """Return the value of a Python expression in the kernel, through JSON."""
        return json.loads(self.python(f"import json; print(json.dumps({expression}))"))

    def set_theme(self, name: str) -> None:
        """Switch to "JupyterLab Light" or "JupyterLab Dark" and wait until it shows."""
        self.page.evaluate("(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", name)
        light = str("Light" in name).lower()
        self.page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")


def code_notebook(*sources: str, opening: str | None = None):
    """Return a notebook of code cells, below an opening in Markdown if there is one."""
    cells = [] if opening is None else [nbformat.v4.new_markdown_cell(opening)]
    notebook = nbformat.v4.new_notebook(cells=[*cells, *map(nbformat.v4.new_code_cell, sources)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return notebook


def executed_notebook(*sources: str):
    """Return a notebook of code cells, run, with the state of its widgets."""
    notebook = code_notebook(*sources)
    NotebookClient(notebook, timeout=120).execute()
    assert "widgets" in notebook.metadata
    return notebook


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
