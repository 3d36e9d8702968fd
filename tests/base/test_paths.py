"""Paths of the program's data and resources."""

from __future__ import annotations

import ast
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dupfinder.base import paths
from dupfinder.base.errors import DataFolderError
from dupfinder.base.paths import as_scanned
from dupfinder.wording.errors import system_sentence
from tests.architecture.sources import PACKAGE, parsed


def names_asked_for() -> set[str]:
    """Return the names written out in calls of `resource`, and prefixes such as "icons/" of composed names."""
    names: set[str] = set()
    for module in PACKAGE.rglob("*.py"):
        for node in ast.walk(parsed(module)):
            called = isinstance(node, ast.Call) and ast.unparse(node.func) in ("resource", "paths.resource")
            if called and isinstance(node, ast.Call) and node.args:
                argument = node.args[0]
                if isinstance(argument, ast.Constant):
                    names.add(str(argument.value))
                elif isinstance(argument, ast.JoinedStr) and isinstance(argument.values[0], ast.Constant):
                    names.add(str(argument.values[0].value).rpartition("/")[0])
    return names - {""}


def test_the_data_folder_is_private_and_where_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, umask: None
) -> None:
    wanted = tmp_path / "deep" / "home"
    monkeypatch.setenv("DUPFINDER_HOME", str(wanted))
    assert paths.data_dir() == wanted
    assert paths.default_library() == wanted / "library.db" and paths.log_file().parent == wanted
    if os.name == "posix":
        assert stat.S_IMODE(wanted.stat().st_mode) == 0o700


def test_without_a_wish_the_data_folder_is_the_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DUPFINDER_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.data_dir().is_relative_to(tmp_path) and paths.data_dir().name == "dupfinder"


def test_a_user_without_a_home_is_told_where_to_name_a_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(*_: object, **__: object) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("DUPFINDER_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", homeless)
    with pytest.raises(DataFolderError) as caught:
        paths.data_dir()
    assert "DUPFINDER_HOME" in system_sentence(caught.value)


@pytest.mark.parametrize("name", ["settings.json", "views.ini", "rules.ini", "shortcuts.ini"])
def test_what_the_window_stores_is_never_taken_for_an_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("DUPFINDER_HOME", str(tmp_path))
    assert paths.is_own(tmp_path / name)
    assert not paths.is_own(tmp_path / f"my {name}")


def test_every_resource_that_the_program_names_is_found() -> None:
    names = names_asked_for()
    assert len(names) > 3
    for name in names:
        assert paths.resource(name).exists(), name


def test_a_resource_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="absent"):
        paths.resource("icons/absent.svg")


def test_installed_without_a_checkout_every_resource_is_found(tmp_path: Path) -> None:
    """The layout of a wheel: the package only, with its resources inside."""
    shutil.copytree(PACKAGE, tmp_path / "dupfinder", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parent / "resources", tmp_path / "dupfinder" / "_resources")
    code = (
        "import sys\nsys.path.insert(0, sys.argv[1])\nfrom dupfinder.base.paths import resource\n"
        "for name in sys.argv[2:]:\n    assert str(resource(name)).startswith(sys.argv[1]), resource(name)\n"
    )
    subprocess.run([sys.executable, "-I", "-c", code, str(tmp_path), *sorted(names_asked_for())], check=True)


@pytest.mark.slow
def test_a_built_wheel_holds_every_resource(tmp_path: Path) -> None:
    source = PACKAGE.parent
    if not (source / "pyproject.toml").exists():
        pytest.skip("only a checkout builds a wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(source)]
    subprocess.run(command, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "in", "zip")
    for name in names_asked_for():
        assert (tmp_path / "in" / "dupfinder" / "_resources" / name).exists(), name


def test_a_path_is_taken_as_scans_store_it_unless_a_link_gives_it_another_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "docs" / "link").symlink_to(tmp_path / "elsewhere" / "deep", target_is_directory=True)
    monkeypatch.chdir(tmp_path / "docs" / "sub")
    assert as_scanned(Path("../a.txt")) == tmp_path / "docs" / "a.txt"
    assert as_scanned(Path("../old.zip/a.txt")) == tmp_path / "docs" / "old.zip" / "a.txt"
    assert as_scanned(Path("../link/../a.txt")) == tmp_path / "docs" / "sub" / "../link/../a.txt"
