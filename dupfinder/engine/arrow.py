"""Files of fingerprints as Parquet and Arrow, for other programs: a row for each document, columns by their names.

Converts between a table and the arrays of an .npz file, which `prints` reads and writes. Needs the extra `arrow`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.details import error_name
from dupfinder.base.errors import Fault, IndexFileError, InputError

ENDINGS: Final = (".parquet", ".arrow")
MAGIC: Final = {b"PAR1": ".parquet", b"ARRO": ".arrow"}
_METADATA: Final = b"dupfinder-fingerprints"  # JSON: the arrays that are single values
_SEEN: Final = 1 << 16  # bytes at both ends of a file, where the metadata is

Arrays = dict[str, NDArray[Any]]


def require_arrow() -> None:
    """Raise InputError when the extra is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        raise InputError(Fault.NO_ARROW)


def write_arrays(stream: IO[bytes], arrays: Mapping[str, NDArray[Any]], ending: str) -> None:
    """Write arrays, as `prints` stores them in an .npz file, as a table."""
    pyarrow: Any = importlib.import_module("pyarrow")
    values = {name: array.tolist() for name, array in arrays.items() if array.ndim == 0}
    columns = {}
    # A scan has a row for each document, also for those without a fingerprint; these two repeat some of its rows.
    repeated = {"fingerprints", "paths"} if "names" in arrays else set()
    for name in arrays.keys() - values.keys() - repeated:
        if not name.endswith("_starts"):
            column = name.removesuffix("_values") if f"{name.removesuffix('_values')}_starts" in arrays else name
            columns[_COLUMNS.get(column, column)] = _column(pyarrow, name, arrays)
    if not len(arrays["paths"]) and "names" not in arrays:
        del columns["path"]
    table = pyarrow.table(dict(sorted(columns.items()))).replace_schema_metadata({_METADATA: json.dumps(values)})
    if ending == ".parquet":
        importlib.import_module("pyarrow.parquet").write_table(table, stream)
    else:
        with pyarrow.ipc.new_file(stream, table.schema) as writer:
            writer.write_table(table)


_COLUMNS: Final = {"fingerprints": "fingerprint", "paths": "path", "names": "path"}


def _column(pyarrow: Any, name: str, arrays: Mapping[str, NDArray[Any]]) -> Any:
    array = arrays[name]
    if name in ("paths", "names"):
        paths = array.tobytes().split(b"\0")[:-1]
        try:
            return pyarrow.array([path.decode() for path in paths], pyarrow.string())
        except UnicodeDecodeError:
            return pyarrow.array(paths, pyarrow.binary())
    if name.endswith("_values"):
        starts = arrays[f"{name.removesuffix('_values')}_starts"]
        return pyarrow.LargeListArray.from_arrays(starts, array)
    if array.dtype == np.uint8:  # words, as JSON
        return pyarrow.array(json.loads(array.tobytes()), pyarrow.string())
    if array.ndim == 2:
        return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(array.ravel()), array.shape[1])
    return pyarrow.array(array)


def read_arrays(path: Path) -> Arrays:
    """Return the arrays of a table, also of another program's with a column `fingerprint`.

    Raises InputError when the extra is not installed, IndexFileError for a file that is damaged or something else.
    """
    require_arrow()
    pyarrow: Any = importlib.import_module("pyarrow")
    try:
        with open(path, "rb") as stream:
            ending = MAGIC.get(stream.read(4))
        if ending == ".parquet":
            # The names of partitions in the path are no columns.
            table = importlib.import_module("pyarrow.parquet").read_table(path, partitioning=None)
        else:
            with pyarrow.OSFile(str(path)) as source:
                table = pyarrow.ipc.open_file(source).read_all()
        return _arrays_of(table)
    except (pyarrow.ArrowException, KeyError, ValueError, TypeError, AttributeError, OSError) as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: Exception) -> IndexFileError:
    """Return the error about a file that the system does not let us read, or that is damaged."""
    if isinstance(error, OSError) and error.strerror:
        return IndexFileError(path, Fault.UNREADABLE, reason=error_name(error))
    return IndexFileError(path, Fault.NOT_WHOLE)


def _arrays_of(table: Any) -> Arrays:
    """Return the columns of a table as the arrays of an .npz file. Raises KeyError, ValueError."""
    values = json.loads((table.schema.metadata or {}).get(_METADATA, "{}"))
    arrays: Arrays = {"dupfinder-fingerprints": np.array(1), "made_by": np.array("")}
    arrays |= {name: np.array(value) for name, value in values.items()}
    # Without the metadata another program wrote it, and its other columns are its own.
    columns = table.column_names if values else {"fingerprint", "path"}.intersection(table.column_names)
    is_scan = "comparable" in columns
    if "path" not in columns:
        arrays["paths"] = np.empty(0, np.uint8)
    for name in columns:
        arrays |= _from_column(name, table[name].combine_chunks(), "names" if is_scan else "paths")
    if is_scan:
        chosen = arrays["comparable"]
        names = arrays["names"].tobytes().split(b"\0")[:-1]
        comparable_paths = b"".join(path + b"\0" for path, keep in zip(names, chosen.tolist(), strict=True) if keep)
        arrays |= {"fingerprints": arrays["fingerprint"][chosen], "paths": np.frombuffer(comparable_paths, np.uint8)}
    else:
        arrays["fingerprints"] = arrays.pop("fingerprint")
    return arrays


def _from_column(name: str, column: Any, path_name: str) -> Arrays:
    """Return a column as one array, or two for lists."""
    kind = str(column.type)
    if name == "path":
        paths = [path.encode() if isinstance(path, str) else path for path in column.to_pylist()]
        return {path_name: np.frombuffer(b"".join(path + b"\0" for path in paths), np.uint8)}
    if kind == "string":
        return {name: np.frombuffer(json.dumps(column.to_pylist()).encode(), np.uint8)}
    if kind.startswith("large_list"):
        starts = np.asarray(column.offsets, np.int64)
        return {f"{name}_values": np.asarray(column.values), f"{name}_starts": starts}
    if kind.startswith("fixed_size_list"):
        return {name: np.asarray(column.flatten()).reshape(len(column), -1)}
    return {name: column.to_numpy(zero_copy_only=False)}


def is_ours(stream: IO[bytes]) -> bool:
    """Tell whether a Parquet or Arrow file has the metadata of one that dupfinder saved."""
    head = stream.read(_SEEN)
    stream.seek(max(0, stream.seek(0, 2) - _SEEN))
    return any(head.startswith(magic) for magic in MAGIC) and _METADATA in head + stream.read(_SEEN)
