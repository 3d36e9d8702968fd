"""Run as a program: carries out a removal (or an undo, or a recovery) again and again, each time in a child that is
killed (SIGKILL) right before its n-th change or opening of a file, for every n, and looks at what is left.

Arguments: a scratch folder, a verb, what is killed ("apply", "undo", "recover"), the folder that MOVE goes to, the
number of victims, 1 or 2, and the trash: "" for that of Linux, "bin" for one as on Windows, "shredder" for one of
Windows that is switched off and deletes what it is given.
Instead of a kill, "ENOSPC-apply" and the like let the system refuse the n-th call, "ENOSPC*-apply" all from then on;
"NOLINK-apply" kills on a system that knows no hard links.
Prints the number of kills or refusals. Any broken promise ends it with an AssertionError.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import OutcomeState
from dupfinder.actions.places import QUARANTINE_NAME
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.trash import FreedesktopTrash, NativeTrash, Trash
from dupfinder.actions.undo import recover, undo
from dupfinder.base.errors import DupfinderError
from dupfinder.cluster.relation import Relation
from tests.actions.making import alike, contents, plan_of, step, write

REFUSED = 77  # the child's exit code when a call was refused and nothing but a known error came out
NO_LINKS = "NOLINK"
CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.chmod", "os.utime", "open"}
Facts = dict[str, tuple[bytes, int, int]]


def killed_at(count: int, work: Callable[[], object], fault: str = "") -> bool:
    """Run `work` in a child, killed (with a fault: refused) at its `count`-th change; tell whether it got so far."""
    child = os.fork()
    if child == 0:
        left = count

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event == "os.link" and fault == NO_LINKS:
                raise OSError(errno.EPERM, os.strerror(errno.EPERM))
            if event in CHANGES:
                left -= 1
                if left == 0 and fault in ("", NO_LINKS):
                    os.kill(os.getpid(), signal.SIGKILL)
                if left == 0 or (left < 0 and fault.endswith("*")):
                    number = getattr(errno, fault.rstrip("*"))
                    raise OSError(number, os.strerror(number))

        sys.addaudithook(hook)
        status = 1
        try:
            work()
            status = 0
        except (OSError, DupfinderError):
            status = 0 if fault not in ("", NO_LINKS) else 1
        finally:
            os._exit(REFUSED if fault not in ("", NO_LINKS) and left <= 0 and status == 0 else status)
    _, status = os.waitpid(child, 0)
    if fault and os.WIFEXITED(status) and os.WEXITSTATUS(status) == REFUSED:
        return True
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


class Scene:
    """One or two victims and a keeper; victims hold bytes of their own unless they are to be linked."""

    ends: tuple[OutcomeState, ...] = (OutcomeState.DONE, OutcomeState.TAKEN_BACK, OutcomeState.RESTORED)
    fault = ""
    count = 2
    kind_of_trash = ""

    def __init__(self, scratch: Path, verb: Verb, destination: Path) -> None:
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.rmtree(destination, ignore_errors=True)
        self.docs, self.destination, self.scratch = scratch / "docs", destination, scratch
        os.environ["XDG_DATA_HOME"] = str(scratch / "share")
        exact = verb is Verb.HARDLINK
        write(self.docs / "keeper.txt", b"kept")
        self.victims = [self.docs / "sub" / "one.txt", self.docs / "two.txt"][: self.count]
        for number, victim in enumerate(self.victims):
            write(victim, b"kept" if exact else f"victim {number}".encode(), 1_500_000_000_000_000_001 + number)
            victim.chmod(0o640)
        relation = Relation.IDENTICAL if exact else Relation.VERSION
        steps = [step(victim, self.docs / "keeper.txt", verb, relation) for victim in self.victims]
        self.plan: Plan = plan_of(steps, self.docs, to=destination)
        self.before = self.facts()
        self.journal = Journal(scratch / "journal")

    def facts(self) -> Facts:
        files = {}
        for name, data in contents(self.docs).items():
            if name.startswith((".Trash", QUARANTINE_NAME)):
                continue
            status = os.lstat(self.docs / name)
            files[name] = (data, status.st_mtime_ns, status.st_mode)
        return files

    def everything(self) -> set[bytes]:
        return set(contents(self.scratch).values()) | set(contents(self.destination).values())

    def apply(self) -> None:
        carry_out(self.plan, journal=self.journal, judge=alike, trash=self.trash())

    def trash(self) -> Trash:
        if not self.kind_of_trash:
            return FreedesktopTrash(top_of=lambda path: self.docs)
        bin_folder = self.scratch / "bin"
        bin_folder.mkdir(exist_ok=True)

        def send(path: Path) -> None:
            if self.kind_of_trash == "shredder":
                path.unlink()
            else:
                path.rename(bin_folder / f"$R{path.name}")

        return NativeTrash(send, lambda path: [bin_folder], lambda path: True, may_delete=True)

    def undo(self) -> None:
        undo(self.journal.batches()[0].id, self.journal)

    def nothing_is_lost(self) -> None:
        assert {data for data, _, _ in self.before.values()} <= self.everything()
        assert (self.docs / "keeper.txt").read_bytes() == b"kept"

    def all_is_settled(self) -> None:
        """After recovery: every step is done or not, no name of ours is left, and what is done can be undone."""
        self.nothing_is_lost()
        names = [*contents(self.docs), *contents(self.destination)]
        assert not [name for name in names if ".dupfinder-hold" in name or ".dupfinder-new" in name], names
        assert self.journal.unfinished() == []
        for batch in self.journal.batches():
            for outcome in batch.outcomes:
                assert outcome.state in self.ends, outcome
                name = str(outcome.step.victim.path.relative_to(self.docs))
                if outcome.state is not OutcomeState.DONE:
                    assert self.facts()[name] == self.before[name]
                elif outcome.step.verb is not Verb.HARDLINK:
                    assert name not in contents(self.docs), outcome
        if self.journal.batches():
            self.undo()
        assert self.facts() == self.before
        victims = [victim for victim in self.victims if os.path.samefile(victim, self.docs / "keeper.txt")]
        assert not victims
        notes = [name for name in contents(self.scratch) if name.endswith(".trashinfo")]
        assert not notes or self.fault, notes


def kill_apply(make: Callable[[], Scene]) -> int:
    count = 0
    while True:
        count += 1
        scene = make()
        alive = not killed_at(count, scene.apply, scene.fault)
        scene.nothing_is_lost()
        recover(scene.journal)
        scene.all_is_settled()
        if alive:
            return count


def kill_undo(make: Callable[[], Scene]) -> int:
    count = 0
    while True:
        count += 1
        scene = make()
        scene.apply()
        alive = not killed_at(count, scene.undo, scene.fault)
        scene.nothing_is_lost()
        recover(scene.journal)
        scene.all_is_settled()
        if alive:
            return count


def kill_recover(make: Callable[[], Scene]) -> int:
    """Kill the removal at every moment, then each of its recoveries at every moment, then recover once more."""
    kills = first = 0
    alive = False
    while not alive:
        first += 1
        second = 0
        again = True
        while again:
            second += 1
            scene = make()
            alive = not killed_at(first, scene.apply)
            again = killed_at(second, partial(recover, scene.journal))
            scene.nothing_is_lost()
            recover(scene.journal)
            scene.all_is_settled()
            kills += 1
    return kills


if __name__ == "__main__":
    place, verb, what, to = Path(sys.argv[1]), Verb(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    Scene.count = int(sys.argv[5])
    Scene.kind_of_trash = sys.argv[6]
    Scene.fault, _, what = what.rpartition("-")
    if Scene.fault not in ("", NO_LINKS):
        Scene.ends = (*Scene.ends, OutcomeState.REFUSED, OutcomeState.FAILED)
    work = {"apply": kill_apply, "undo": kill_undo, "recover": kill_recover}[what]
    print(work(lambda: Scene(place / "scene", verb, to)))
