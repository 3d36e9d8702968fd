"""Other packages to be measured against, each in a folder of its own: three of them are all called `simhash`.

`python -m tests.speed.peers FOLDER` installs them into FOLDER and says which could not be.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

# Package, and the module it is imported by.
PEERS = {
    "simhash": "simhash",
    "python-simhash": "simhash",
    "simhash-pybind": "simhash",
    "gaoya": "gaoya",
    "faiss-cpu": "faiss",
    "rensa": "rensa",
    "datasketch": "datasketch",
}
NEEDS = {"datasketch": ("scipy",)}  # beside numpy, which the environment has
FOLDER = Path(sys.prefix) / "peers"


def install(folder: Path) -> dict[str, str]:
    """Install every peer below `folder`. Returns why, for those that could not be."""
    failed = {}
    for package in PEERS:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        command += ["--no-deps", "--upgrade", "--target", str(folder / package), package, *NEEDS.get(package, ())]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            failed[package] = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    return failed


def load(package: str, folder: Path = FOLDER) -> ModuleType | None:
    """The peer's module, None where it is not installed."""
    module = PEERS[package]
    place = str(folder / package)
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        del sys.modules[name]
    sys.path.insert(0, place)
    try:
        return importlib.import_module(module)
    except ImportError:
        return None
    finally:
        sys.path.remove(place)


if __name__ == "__main__":
    for unfit, reason in install(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER).items():
        print(f"{unfit}: not installed: {reason}")
