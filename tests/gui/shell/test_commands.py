from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from PySide6.QtGui import QKeySequence

from dupfinder.gui.shell.commands import COMMANDS, Command, shortcut_of


def shortcuts() -> Iterator[tuple[str, Command]]:
    """Yield every key with its command, as portable text; single keys as well."""
    for command in COMMANDS:
        for sequence in (*command.sequences(), *map(QKeySequence, command.single_keys)):
            yield sequence.toString(QKeySequence.SequenceFormat.PortableText), command


def test_no_two_commands_share_a_key(qapp: object) -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for key, command in shortcuts():
        owners[key].add(command.slot)
    assert {key: ids for key, ids in owners.items() if len(ids) > 1} == {}


def test_every_command_has_a_label_and_a_slot_of_its_own() -> None:
    assert len({command.slot for command in COMMANDS}) == len(COMMANDS)
    assert all(command.label[0].isupper() for command in COMMANDS)


def test_every_key_is_one_that_qt_understands(qapp: object) -> None:
    assert all(key for key, _ in shortcuts())
    assert all(shortcut_of(command).strip() for command in COMMANDS)
