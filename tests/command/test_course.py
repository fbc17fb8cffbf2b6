"""The notebooks are written where the reader wants them, all of them, and nothing is overwritten."""

from pathlib import Path

from swizzle_widgets.command import course as command
from swizzle_widgets.command import main

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def test_all_notebooks_are_written_with_what_they_read(tmp_path, capsys):
    folder = tmp_path / "course"
    assert main(["course", str(folder)]) == 0
    expected = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
    assert len(expected) == 12
    assert sorted(path.name for path in folder.glob("*.ipynb")) == expected
    assert all((folder / name).read_bytes() == (NOTEBOOKS / name).read_bytes() for name in expected)
    assert not [path for path in folder.rglob("*") if path.name.startswith((".", "__", "conftest"))]
    assert (folder / "pictures").is_dir() == (NOTEBOOKS / "pictures").is_dir()
    assert capsys.readouterr().out == f"12 notebooks in {folder}: open them with  jupyter lab {folder}\n"


def test_nothing_is_overwritten(tmp_path, capsys):
    mine = tmp_path / "03_xor.ipynb"
    mine.write_text("my answers")
    assert main(["course", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"swizzle-widgets: {mine} is there already: nothing was written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["03_xor.ipynb"]
    assert mine.read_text() == "my answers"


def test_an_installation_without_them_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "PLACES", (tmp_path / "nowhere",))
    assert main(["course", str(tmp_path / "new")]) == 2
    assert "the notebooks are not part of this installation" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
