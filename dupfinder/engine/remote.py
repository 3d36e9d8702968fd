"""Work on the workers of a Dask cluster, which may die, come back, or be of another version.

Workers are checked before they work: each must have this very program, and the libraries that decide what is read, and
landmarks in the folders show whether it sees the same folders under the same paths. Work is divided into items; each is
done anew, by any worker, when the worker or the scheduler that had it was lost. What happens on which machine never
changes a result.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import logging
import os
import sys
import tempfile
import time
import unicodedata
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, Self, TypeVar

import dupfinder
from dupfinder.base.details import error_name
from dupfinder.base.errors import ClusterError, Fault
from dupfinder.base.files import Closable, reading
from dupfinder.base.paths import OWN_PREFIX
from dupfinder.processes.crew import Crew

G = TypeVar("G")
T = TypeVar("T")
R = TypeVar("R")

CONNECT_SECONDS: Final = 10.0
PATIENCE_SECONDS: Final = 60.0  # how long lost workers, or a lost scheduler, are waited for
AHEAD: Final = 3  # items sent to the cluster for each of its threads, so that no worker waits for the next
MOST_DEATHS: Final = 3  # times that an item is given out again after Dask gave it up because its workers died
_LOOK_SECONDS: Final = 0.2  # between two checks for a stop
_ASK_SECONDS: Final = 2.0  # between two questions whether workers are still there, while none answers
_FETCH_SECONDS: Final = 20.0  # within which a finished result arrives, unless its worker died since
_LOST: Final = (OSError, RuntimeError, CancelledError, asyncio.CancelledError)  # how a client reports a lost scheduler
# The libraries that decide what is read of a document, by the names under which they are installed.
LIBRARIES: Final = (
    "numpy", "jieba", "rjieba", "pdfminer.six", "python-docx", "pypdfium2", "resiliparse", "lxml", "charset-normalizer",
    "PyStemmer", "xxhash", "striprtf", "python-calamine", "OpenCC", "olefile", "backports.zstd", "rapidfuzz",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SoftwareBuild:
    """What a machine runs. source: a hash of its source code; versions: of Python, Unicode and each library."""

    source: str
    versions: tuple[tuple[str, str], ...]


@cache
def own_build() -> SoftwareBuild:
    package = Path(dupfinder.__file__).parent
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if not name.startswith("gui/"):
            digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    python = ".".join(map(str, sys.version_info[:2]))
    versions = [("dupfinder", dupfinder.__version__), ("Python", python), ("Unicode", unicodedata.unidata_version)]
    return SoftwareBuild(digest.hexdigest(), (*versions, *((name, _version(name)) for name in LIBRARIES)))


def _version(name: str) -> str:
    """Return the version of an installed library, "" if the system does not tell."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


@dataclass(frozen=True, slots=True)
class WorkerRefusal:
    """Why a worker cannot do some work: a fault with its facts, without the worker's address."""

    fault: Fault
    facts: Mapping[str, object] = field(default_factory=dict)

    def error(self, worker: str) -> ClusterError:
        """Return the error, with the worker's address."""
        return ClusterError(self.fault, worker=worker, **self.facts)


def refusal_of(build: SoftwareBuild) -> WorkerRefusal | None:
    """Return why this process must not work for a program of another build; None for the same. Runs on a worker."""
    here = own_build()
    for (name, expected), (_, present) in zip(build.versions, here.versions, strict=False):
        if present != expected:
            return WorkerRefusal(Fault.OTHER_PROGRAM, {"name": name, "there": present or "?", "here": expected or "?"})
    return None if here == build else WorkerRefusal(Fault.OTHER_SOURCE)


@dataclass(frozen=True, slots=True)
class WorkerAnswer(Generic[R]):
    """A worker's answer to one item, or why it refused it."""

    worker: str
    value: R


def answer(
    work: Callable[[T, G], R | WorkerRefusal], item: T, shared: G, build: SoftwareBuild
) -> WorkerAnswer[R | WorkerRefusal]:
    """Do one item, if this worker has the same build. Runs on a worker."""
    from distributed import get_worker

    refusal = refusal_of(build)
    return WorkerAnswer(str(get_worker().address), work(item, shared) if refusal is None else refusal)


def same(value: T) -> T:
    """Return the value. As the result of a task it is sent to each worker once, and computed again when it is lost."""
    return value


@dataclass
class _RunningItems(Generic[T]):
    """Items in work.

    work, shared:  what is done, and the value that goes with every item.
    sent, sender: the future of `shared`, and the client that sent it.
    items:        by their futures, with how often Dask gave each up because its workers died.
    to_repeat:    items to be sent again. ended: futures that called back, most of which are done.
    """

    work: Callable[[T, Any], Any]
    shared: Any
    sent: Any = None
    sender: Any = None
    items: dict[Any, tuple[T, int]] = field(default_factory=dict)
    to_repeat: deque[tuple[T, int]] = field(default_factory=deque)
    ended: SimpleQueue[Any] = field(default_factory=SimpleQueue)

    def add(self, future: Any, item: T, given_up: int) -> None:
        self.items[future] = (item, given_up)
        future.add_done_callback(self.ended.put)

    def give_back(self) -> None:
        """Queue all items again: the scheduler that had them was lost."""
        self.to_repeat.extend(self.items.values())
        self.items.clear()
        self.ended = SimpleQueue()


class DaskCluster(Closable):
    """A connection to a Dask cluster, made anew when it was lost. A context manager.

    address:  of its scheduler, as in "tcp://127.0.0.1:8786".
    patience: seconds for which lost workers, or a lost scheduler, are waited for.
    Raises ClusterError if nothing answers, no worker is there, or one is of another build.
    """

    def __init__(self, address: str, patience: float = PATIENCE_SECONDS) -> None:
        self.address = address
        self._patience = patience
        self._distributed = _imported()
        self._client: Any = None
        self._threads = 0
        self._open(CONNECT_SECONDS)
        try:
            self._wait_for_workers(CONNECT_SECONDS)
            self._check_builds()
        except BaseException:  # also a stop: no connection may stay open
            self.close()
            raise

    @property
    def threads(self) -> int:
        """How many items the workers can do at once."""
        return max(1, self._threads)

    def close(self) -> None:
        """End the connection."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # a connection to a lost scheduler fails in any way to close
                client.close(timeout=2)

    def ask(self, question: Callable[..., WorkerRefusal | None], *arguments: object) -> None:
        """Ask every worker a question, and raise ClusterError for the first, by its address, that refuses."""
        answers = self._everywhere(self._client.run, question, *arguments, on_error="return")
        for worker, value in sorted(answers.items()):
            if isinstance(value, WorkerRefusal):
                raise value.error(worker)
            if isinstance(value, BaseException):
                raise ClusterError(Fault.WITHOUT_PROGRAM, worker=worker) from value

    def _check_builds(self) -> None:
        """Raise ClusterError if a worker is of another build, or the scheduler, which unpacks tasks, has none."""
        if not isinstance(self._everywhere(self._client.run_on_scheduler, own_build), SoftwareBuild):
            raise ClusterError(Fault.SCHEDULER_WITHOUT, address=self.address)
        self.ask(refusal_of, own_build())

    def _everywhere(self, run: Callable[..., Any], *arguments: object, **options: object) -> Any:
        """Run a function by a method of the client; return None if the other side lacks this program.

        Raises ClusterError when the scheduler is lost.
        """
        try:
            return run(*arguments, **options)
        except ModuleNotFoundError:
            return None
        except _LOST as error:
            raise ClusterError(Fault.SCHEDULER_LOST, address=self.address) from error

    def map(
        self,
        work: Callable[[T, G], R | WorkerRefusal],
        items: Iterable[T],
        shared: G,
        check: Callable[[], None] = lambda: None,
    ) -> Iterator[tuple[T, WorkerAnswer[R]]]:
        """Do `work` on each item, with `shared`, on some worker; yield each item with its result once, in any order.

        work: a function of a module. check: may raise to stop. Raises ClusterError when a worker refuses, or when
        workers or the scheduler stay lost for longer than the patience.
        """
        source, running = iter(items), _RunningItems[T](work, shared)
        asked_at = time.monotonic()
        try:
            while self._give_out(source, running):
                check()
                try:
                    future = running.ended.get(timeout=_LOOK_SECONDS)
                except Empty:
                    if time.monotonic() - asked_at > _ASK_SECONDS:
                        self._wait_until_there(running, check)
                        asked_at = time.monotonic()
                    continue
                yield from self._result(future, running, check)
        finally:
            self._cancel(running)

    def _give_out(self, source: Iterator[T], running: _RunningItems[T]) -> bool:
        """Send items until the cluster has enough of them. Returns whether any is in work."""
        while len(running.items) < AHEAD * self.threads:
            if running.to_repeat:
                item, given_up = running.to_repeat.popleft()
            else:
                try:
                    item, given_up = next(source), 0
                except StopIteration:
                    break
            try:
                future = self._submit(running, item)
            except _LOST:
                running.to_repeat.append((item, given_up))
                break
            running.add(future, item, given_up)
        return bool(running.items or running.to_repeat)

    def _submit(self, running: _RunningItems[T], item: T) -> Any:
        """Give out an item. Returns its future."""
        # A client connects anew by itself when its scheduler comes back soon; what it had sent is cancelled then.
        if running.sender is not self._client or running.sent.status in ("cancelled", "lost", "error"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it may be large
                running.sent = self._client.submit(same, running.shared, pure=False)
            running.sender = self._client
        return self._client.submit(answer, running.work, item, running.sent, own_build(), pure=False)

    def _result(
        self, future: Any, running: _RunningItems[T], check: Callable[[], None]
    ) -> Iterator[tuple[T, WorkerAnswer[R]]]:
        """Yield an item with its result; queue it again if it was lost. Raises ClusterError."""
        if future not in running.items:
            return
        item, given_up = running.items.pop(future)
        error = answered = None
        with suppress(*_LOST):
            if future.status == "error":
                error = future.exception(timeout=_FETCH_SECONDS)
            elif future.status == "finished":
                answered = future.result(timeout=_FETCH_SECONDS)
        if answered is not None:
            if isinstance(answered.value, WorkerRefusal):
                raise answered.value.error(answered.worker)
            yield item, answered
            return
        running.to_repeat.append((item, given_up if error is None else self._times_given_up(error, given_up)))
        if future.status not in ("error", "finished"):
            self._wait_until_there(running, check)

    def _times_given_up(self, error: BaseException, given_up: int) -> int:
        """Return how often Dask has given an item up, now that it ended with an error. Raises any other error."""
        if isinstance(error, self._distributed.KilledWorker):
            if given_up >= MOST_DEATHS:
                raise ClusterError(Fault.WORKERS_DIE, address=self.address) from error
            return given_up + 1
        if isinstance(error, ModuleNotFoundError | AttributeError) or "deserialization" in str(error):
            raise ClusterError(Fault.WITHOUT_PROGRAM, worker=self.address) from error
        raise error

    def _wait_until_there(self, running: _RunningItems[T], check: Callable[[], None]) -> None:
        """Wait until workers are there, connecting anew if the scheduler was lost. Raises ClusterError."""
        until = time.monotonic() + self._patience
        while not self._has_workers():
            check()
            if not self._is_connected():
                running.give_back()
                self._open_again(until, check)
            elif time.monotonic() > until:
                raise ClusterError(Fault.WORKERS_LOST, address=self.address)
            time.sleep(_LOOK_SECONDS)

    def _is_connected(self) -> bool:
        return self._client is not None and self._client.status == "running"

    def _has_workers(self) -> bool:
        """Ask the scheduler whether it has workers, and note their threads; False if it does not answer."""
        if not self._is_connected():
            return False
        try:
            self._threads = sum(self._client.nthreads().values())
        except _LOST:
            return False
        return self._threads > 0

    def _wait_for_workers(self, seconds: float) -> None:
        """Wait for the first worker. Raises ClusterError."""
        until = time.monotonic() + seconds
        while not self._has_workers():
            if time.monotonic() > until:
                raise ClusterError(Fault.NO_WORKERS, address=self.address)
            time.sleep(_LOOK_SECONDS)

    def _open(self, seconds: float) -> None:
        """Open the connection. Raises ClusterError."""
        try:
            self._check_address()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # on libraries of other versions, which do not matter here
                self._client = self._distributed.Client(self.address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
            raise ClusterError(Fault.NO_SCHEDULER, address=self.address) from error

    def _check_address(self) -> None:
        """Raise ValueError for an address to which no connection can be made; a client of it would take long to end."""
        addressing = importlib.import_module("distributed.comm.addressing")
        address = addressing.normalize_address(self.address)
        addressing.get_address_host_port(address, strict=True)
        security = self._distributed.Security()
        is_secure = address.startswith("tls:")
        if is_secure and security.get_connection_args("client").get("ssl_context") is None:
            raise ValueError("no certificates")
        if security.require_encryption and not is_secure:
            raise ValueError("no encryption")

    def _open_again(self, until: float, check: Callable[[], None]) -> None:
        """Connect anew to a scheduler that was lost. Raises ClusterError if it is still lost at the time `until`."""
        self.close()
        while self._client is None:
            check()
            try:
                self._open(min(_ASK_SECONDS, max(until - time.monotonic(), _LOOK_SECONDS)))
            except ClusterError as error:
                if time.monotonic() > until:
                    raise ClusterError(Fault.SCHEDULER_LOST, address=self.address) from error
                time.sleep(_LOOK_SECONDS)

    def _cancel(self, running: _RunningItems[T]) -> None:
        """Cancel what is in work, if the scheduler is still there."""
        if running.items and self._is_connected():
            with suppress(*_LOST):
                self._client.cancel(list(running.items))


def _imported() -> Any:
    """Load Dask, which is an optional extra, and let it say nothing on standard error. Raises ClusterError."""
    try:
        config = importlib.import_module("dask.config")
        levels = {"distributed": "critical", "distributed.client": "critical", "tornado": "critical"}
        config.set({"logging": levels})
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise ClusterError(Fault.NO_DASK) from error
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


@contextmanager
def scratch_folder(cluster: DaskCluster, parent: Path) -> Iterator[Path]:
    """Create, for a block, a folder below `parent` that every worker can read and write.

    Raises ClusterError for the first worker that cannot, or if this machine cannot.
    """
    try:
        temporary = tempfile.TemporaryDirectory(prefix=OWN_PREFIX, dir=parent.absolute(), ignore_cleanup_errors=True)
    except OSError as error:
        raise ClusterError(Fault.NO_SCRATCH_HERE, path=parent, reason=error_name(error)) from error
    with temporary as name:
        folder, word = Path(name), uuid.uuid4().hex
        try:
            (folder / "mark").write_text(word)
        except OSError as error:
            raise ClusterError(Fault.NO_SCRATCH_HERE, path=parent, reason=error_name(error)) from error
        cluster.ask(refusal_of_scratch, folder, word)
        yield folder


def refusal_of_scratch(folder: Path, word: str) -> WorkerRefusal | None:
    """Return why this worker does not see a folder with its mark, or cannot write into it. Runs on a worker."""
    facts: dict[str, object] = {"path": folder.parent}
    try:
        if (folder / "mark").read_text() != word:
            return WorkerRefusal(Fault.NO_SCRATCH, {**facts, "reason": "ENOENT"})
        (folder / f"{uuid.uuid4().hex}.tried").write_text(word)
    except OSError as error:
        return WorkerRefusal(Fault.NO_SCRATCH, {**facts, "reason": error_name(error)})
    return None


class RemoteCrew(Crew):
    """A crew of all threads of a cluster's workers. folder: that of `scratch_folder`; the crew creates its own in it.

    Arrays are shared by files in a folder that all machines see and may write into, as a crew of one machine shares
    them by files in a temporary folder. So the same calculations run on both, with the same results.
    """

    def __init__(self, cluster: DaskCluster, folder: Path) -> None:
        super().__init__(max(2, cluster.threads))
        self._cluster = cluster
        self._scratch = folder

    def __enter__(self) -> Self:
        self._folder = self._scratch / uuid.uuid4().hex
        os.mkdir(self._folder, 0o700)
        return self

    def run(self, work: Callable[[T], R], tasks: Iterable[T], check: Callable[[], None]) -> Iterator[R]:
        """Yield work(task) for each task, in the order of the tasks, as `Crew.run` does. Raises ClusterError too."""
        waiting: dict[int, Any] = {}
        turn = 0
        for (number, _), answered in self._cluster.map(_do_task, enumerate(tasks), work, check):
            waiting[number] = answered.value
            while turn in waiting:
                yield waiting.pop(turn)
                turn += 1


def _do_task(item: tuple[int, T], work: Callable[[T], R]) -> R:
    return work(item[1])


MOST_LANDMARKS: Final = 200  # files and folders by which roots are known
_HASHED: Final = 20  # of these, files whose first bytes are compared too
_HEAD: Final = 4096  # bytes
_LEAST_UNCHANGED: Final = 0.9  # least share of landmarks that a worker sees unchanged; a few files change meanwhile


@dataclass(frozen=True, slots=True)
class Landmark:
    """A file or folder by which a root is known. size: -1 for a folder. head: hash of the first bytes; "": not read."""

    path: Path
    size: int
    mtime_ns: int
    head: str = ""


def landmarks_of(roots: Sequence[Path]) -> dict[Path, list[Landmark]]:
    """Return what this machine sees of each root, a folder or a file: some files and folders of its upper levels."""
    return {path: _landmarks(path, max(2, MOST_LANDMARKS // len(roots))) for path in roots}


def _landmarks(root: Path, most: int) -> list[Landmark]:
    """Return landmarks of one root, level by level."""
    paths, level = [root], [root]
    while level and len(paths) < most:
        children = list(islice(chain.from_iterable(map(_children, level)), most))
        paths += children
        level = [path for path in children if os.path.isdir(path) and not os.path.islink(path)]
    landmarks = (_landmark_at(path, number < _HASHED) for number, path in enumerate(paths[:most]))
    return [landmark for landmark in landmarks if isinstance(landmark, Landmark)]


def _children(folder: Path) -> Iterator[Path]:
    """Yield the paths in a folder, none if it cannot be listed."""
    try:
        with os.scandir(folder) as listing:
            yield from (folder / child.name for child in listing)
    except OSError:
        return


def _landmark_at(path: Path, is_hashed: bool) -> Landmark | OSError:
    try:
        status = os.stat(path)
        if path.is_dir():
            return Landmark(path, -1, 0)
        if not path.is_file() or not is_hashed:
            return Landmark(path, status.st_size, status.st_mtime_ns)
        with reading(path) as descriptor:
            head = hashlib.blake2b(os.read(descriptor, _HEAD), digest_size=8).hexdigest()
        return Landmark(path, status.st_size, status.st_mtime_ns, head)
    except OSError as error:
        return error


def refusal_of_roots(landmarks_by_root: Mapping[Path, Sequence[Landmark]]) -> WorkerRefusal | None:
    """Return which root this worker does not see, or sees with other contents. Runs on a worker."""
    for root, landmarks in landmarks_by_root.items():
        seen_here = [_landmark_at(landmark.path, bool(landmark.head)) for landmark in landmarks]
        of_root = seen_here[0] if seen_here else None
        if isinstance(of_root, OSError):
            return WorkerRefusal(Fault.NO_SHARE, {"path": root, "reason": error_name(of_root)})
        unchanged = sum(landmark == seen for landmark, seen in zip(landmarks, seen_here, strict=True))
        if unchanged < _LEAST_UNCHANGED * len(landmarks):
            return WorkerRefusal(Fault.OTHER_SHARE, {"path": root})
    return None
