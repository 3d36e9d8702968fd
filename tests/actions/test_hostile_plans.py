"""A plan is a wish: whatever is written into its file, nothing goes that the files themselves and the person's own
words do not allow."""

from __future__ import annotations

import base64
import json
import os
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dupfinder.actions.plan import Plan, Verb, known_file_as_json, save_plan
from dupfinder.base.paths import DECISIONS_NAME, data_dir, default_library
from dupfinder.cli.main import main
from dupfinder.library.decisions import Decision, Decisions, StoredVerdict, VerdictKind
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import ScanSummary
from tests.actions.making import contents, hash_of, known_file, plan_of, step, write

Record = dict[str, Any]


def note_scan(library: Path, *roots: tuple[Path, str]) -> None:
    """Write down a scan of these folders, with their roles."""
    summary = ScanSummary(0, "docs", roots, datetime.now(UTC), 0.0, "done", 0, 0, 0, 8, 0.7, 0.85, 8, "scheme", 0)
    with LibraryFile(library, write=True) as opened:
        opened.begin_scan(summary, "revision")


class World:
    """A scanned folder with a letter, its copy and an unrelated letter, a protected folder in it, and one outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.docs, self.signed, self.outside = folder / "docs", folder / "docs" / "signed", folder / "outside"
        text = b"The whole text of a letter on the harbour, its ships and the hours at which they left."
        self.victim, self.keeper = write(self.docs / "copy.txt", text), write(self.docs / "letter.txt", text)
        self.other = write(self.docs / "other.txt", b"A wholly different letter on the growing of apples and pears.")
        self.guarded = write(self.signed / "letter.txt", text)
        self.stranger = write(self.outside / "letter.txt", text)
        self.library, self.plan = default_library(), folder / "plan.json"
        note_scan(self.library, (self.docs, "scan"), (self.signed, "protect"))

    def honest(self, verb: Verb = Verb.TRASH, to: Path | None = None) -> Plan:
        return plan_of([step(self.victim, self.keeper, verb)], self.docs, protected=(self.signed,), to=to)

    def files(self) -> dict[str, bytes]:
        """All that a person has."""
        docs = contents(self.docs) | contents(self.outside)
        return docs | {f"outside/{name}": data for name, data in contents(self.outside).items()}

    def apply(self) -> int:
        return main(["apply", str(self.plan), "--yes", "--progress", "none"])


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def place(path: Path | str) -> Record:
    return {"path": str(path), "path_base64": base64.b64encode(os.fsencode(path)).decode()}


def first(record: Record) -> Record:
    step: Record = record["steps"][0]
    return step


def rename(known_file: Record, path: Path | str) -> None:
    known_file.update(place(path))


def the_keeper_is_an_unrelated_letter(record: Record, world: World) -> None:
    first(record)["keeper"] = known_file_as_json(known_file(world.other))


def the_victim_is_an_unrelated_letter(record: Record, world: World) -> None:
    first(record)["victim"] = known_file_as_json(known_file(world.other))


def an_unrelated_letter_is_said_to_hold_the_same_text(record: Record, world: World) -> None:
    first(record).update(victim=known_file_as_json(known_file(world.other)), relation="same_text")


def the_victim_is_its_own_keeper(record: Record, world: World) -> None:
    first(record)["victim"] = first(record)["keeper"]


def the_keeper_is_another_name_of_the_victim(record: Record, world: World) -> None:
    os.link(world.victim, world.docs / "alias.txt")
    first(record)["keeper"] = known_file_as_json(known_file(world.docs / "alias.txt"))


def the_keeper_is_a_link_to_the_victim(record: Record, world: World) -> None:
    (world.docs / "link.txt").symlink_to(world.victim)
    rename(first(record)["keeper"], world.docs / "link.txt")


def the_path_shown_is_not_the_path_meant(record: Record, world: World) -> None:
    first(record)["victim"]["path"] = str(world.docs / "harmless.tmp")


def the_path_meant_is_not_the_path_shown(record: Record, world: World) -> None:
    first(record)["victim"]["path_base64"] = place(world.keeper)["path_base64"]


def the_whole_group_is_marked(record: Record, world: World) -> None:
    there = first(record)
    record["steps"].append(there | {"victim": there["keeper"], "keeper": there["victim"]})


def a_victim_stands_twice_in_two_spellings(record: Record, world: World) -> None:
    there = first(record)
    twin = there["victim"] | place(str(world.docs) + "//" + world.victim.name)
    record["steps"].append(there | {"victim": twin})


def a_step_has_an_unknown_field(record: Record, world: World) -> None:
    first(record)["unless"] = "the keeper is gone"


def the_plan_has_an_unknown_field(record: Record, world: World) -> None:
    record["dry_run"] = True


def a_size_is_negative(record: Record, world: World) -> None:
    first(record)["victim"]["size"] = -1


def a_number_is_huge(record: Record, world: World) -> None:
    first(record)["keeper"]["size"] = 10**40


def a_number_is_none(record: Record, world: World) -> None:
    first(record)["similarity"] = float("nan")


def the_victim_is_a_symbolic_link(record: Record, world: World) -> None:
    link = world.docs / "link.txt"
    link.symlink_to(world.stranger)
    first(record)["victim"] = known_file_as_json(known_file(world.stranger)) | place(link)


def the_victim_is_reached_through_a_linked_folder(record: Record, world: World) -> None:
    (world.docs / "sub").symlink_to(world.outside)
    first(record)["victim"] = known_file_as_json(known_file(world.stranger)) | place(world.docs / "sub" / "letter.txt")


def the_victim_is_reached_by_a_root_that_is_a_link_into_a_protected_folder(record: Record, world: World) -> None:
    (world.signed / "deep").mkdir()
    hidden = write(world.signed / "deep" / "letter.txt", world.keeper.read_bytes())
    (world.folder / "way").symlink_to(world.signed / "deep")
    record["roots"] = [place(world.folder / "way")]
    first(record)["victim"] = known_file_as_json(known_file(hidden)) | place(world.folder / "way" / "letter.txt")


def the_path_is_relative(record: Record, world: World) -> None:
    rename(first(record)["victim"], "docs/copy.txt")


def the_path_climbs_out(record: Record, world: World) -> None:
    first(record)["victim"] = known_file_as_json(known_file(world.stranger))
    rename(first(record)["victim"], f"{world.docs}/../outside/letter.txt")


def the_path_has_a_zero_byte(record: Record, world: World) -> None:
    rename(first(record)["victim"], f"{world.docs}/copy.txt\0.bak")


def the_victim_is_a_folder(record: Record, world: World) -> None:
    rename(first(record)["victim"], world.signed)


def the_victim_is_a_device(record: Record, world: World) -> None:
    record["roots"] = [place("/")]
    status = os.stat("/dev/null")
    first(record)["victim"].update(place("/dev/null"), device=status.st_dev, inode=status.st_ino, size=0)


def the_keeper_is_a_device(record: Record, world: World) -> None:
    status = os.stat("/dev/zero")
    first(record)["keeper"].update(place("/dev/zero"), device=status.st_dev, inode=status.st_ino)


def the_roots_are_everything(record: Record, world: World) -> None:
    record["roots"] = [place("/")]
    first(record)["victim"] = known_file_as_json(known_file(world.stranger))


def the_protected_folders_are_left_out(record: Record, world: World) -> None:
    record["protected"] = []
    first(record)["victim"] = known_file_as_json(known_file(world.guarded))


def the_protected_folder_is_a_root_of_its_own(record: Record, world: World) -> None:
    record["protected"], record["roots"] = [], [place(world.signed)]
    first(record)["victim"] = known_file_as_json(known_file(world.guarded))


def the_keeper_lies_in_a_trash(record: Record, world: World) -> None:
    kept = write(world.docs / ".Trash-1000" / "files" / "letter.txt", world.victim.read_bytes())
    first(record)["keeper"] = known_file_as_json(known_file(kept))


def the_keeper_is_inside_an_archive(record: Record, world: World) -> None:
    with zipfile.ZipFile(world.docs / "old.zip", "w") as made:
        made.writestr("letter.txt", world.victim.read_bytes())
    rename(first(record)["keeper"], world.docs / "old.zip" / "letter.txt")


def the_destination_is_a_link_into_a_protected_folder(record: Record, world: World) -> None:
    (world.folder / "to").symlink_to(world.signed)
    first(record)["verb"], record["destination"] = "move", place(world.folder / "to")


def the_destination_is_a_link_into_a_folder_protected_since(record: Record, world: World) -> None:
    (world.signed / "deep").mkdir()
    (world.folder / "to").symlink_to(world.signed / "deep")
    record["protected"] = []
    first(record)["verb"], record["destination"] = "move", place(world.folder / "to" / "new")


def the_destination_is_the_journal(record: Record, world: World) -> None:
    first(record)["verb"], record["destination"] = "move", place(data_dir() / "journal")


def the_destination_is_a_trash(record: Record, world: World) -> None:
    first(record)["verb"], record["destination"] = "move", place(world.docs / ".Trash-1000" / "files")


def the_destination_is_the_victim(record: Record, world: World) -> None:
    first(record)["verb"], record["destination"] = "move", place(world.victim / "below")


def the_destination_is_a_link_to_the_victims_own_folder(record: Record, world: World) -> None:
    (world.folder / "to").symlink_to(world.docs)
    first(record)["verb"], record["destination"] = "move", place(world.folder / "to")


def the_quarantine_is_in_a_protected_folder(record: Record, world: World) -> None:
    (world.folder / "to").symlink_to(world.signed)
    record["quarantine"] = place(world.folder / "to" / "away")


def the_verb_is_another(record: Record, world: World) -> None:
    first(record)["verb"] = "shred"


def equal_bytes_are_claimed_for_a_link_of_unequal_files(record: Record, world: World) -> None:
    first(record).update(verb="hardlink", keeper=known_file_as_json(known_file(world.other)))


def the_hash_is_that_of_the_other(record: Record, world: World) -> None:
    wrong = known_file_as_json(known_file(world.other)) | {"blake2b_128": hash_of(world.keeper.read_bytes())}
    first(record)["victim"] = wrong


def the_relation_is_that_of_a_whole(record: Record, world: World) -> None:
    first(record)["relation"] = "whole"


def the_relation_is_that_of_a_form(record: Record, world: World) -> None:
    first(record)["relation"] = "same_form"


def no_likeness_is_asked_for(record: Record, world: World, relation: str) -> None:
    first(record).update(victim=known_file_as_json(known_file(world.other)), relation=relation, similarity=0.0)
    record.update(min_similarity=0.0, min_containment=0.0)


def no_likeness_is_asked_for_of_a_version(record: Record, world: World) -> None:
    no_likeness_is_asked_for(record, world, "version")


def no_likeness_is_asked_for_of_a_part(record: Record, world: World) -> None:
    no_likeness_is_asked_for(record, world, "part")


def there_is_no_relation(record: Record, world: World) -> None:
    first(record)["relation"] = "none"


EDITS: list[Callable[[Record, World], None]] = [
    no_likeness_is_asked_for_of_a_version, no_likeness_is_asked_for_of_a_part, the_relation_is_that_of_a_whole,
    the_relation_is_that_of_a_form, there_is_no_relation, the_keeper_is_an_unrelated_letter,
    the_victim_is_an_unrelated_letter, an_unrelated_letter_is_said_to_hold_the_same_text,
    the_victim_is_its_own_keeper, the_keeper_is_another_name_of_the_victim, the_keeper_is_a_link_to_the_victim,
    the_path_shown_is_not_the_path_meant, the_path_meant_is_not_the_path_shown, the_whole_group_is_marked,
    a_victim_stands_twice_in_two_spellings, a_step_has_an_unknown_field, the_plan_has_an_unknown_field,
    a_size_is_negative, a_number_is_huge, a_number_is_none, the_victim_is_a_symbolic_link,
    the_victim_is_reached_through_a_linked_folder,
    the_victim_is_reached_by_a_root_that_is_a_link_into_a_protected_folder, the_path_is_relative, the_path_climbs_out,
    the_path_has_a_zero_byte, the_victim_is_a_folder, the_victim_is_a_device, the_keeper_is_a_device,
    the_roots_are_everything, the_protected_folders_are_left_out, the_protected_folder_is_a_root_of_its_own,
    the_keeper_lies_in_a_trash, the_keeper_is_inside_an_archive, the_destination_is_a_link_into_a_protected_folder,
    the_destination_is_a_link_into_a_folder_protected_since, the_destination_is_the_journal,
    the_destination_is_a_trash, the_destination_is_the_victim, the_destination_is_a_link_to_the_victims_own_folder,
    the_quarantine_is_in_a_protected_folder, the_verb_is_another, equal_bytes_are_claimed_for_a_link_of_unequal_files,
    the_hash_is_that_of_the_other,
]  # fmt: skip


@pytest.mark.parametrize("change", EDITS, ids=lambda change: change.__name__)
def test_no_edit_of_a_plan_makes_a_file_go(
    world: World, change: Callable[[Record, World], None], capsys: pytest.CaptureFixture[str]
) -> None:
    save_plan(world.honest(), world.plan)
    record = json.loads(world.plan.read_text())
    change(record, world)
    world.plan.write_text(json.dumps(record))
    before = world.files()
    assert main(["apply", str(world.plan), "--dry-run", "--progress", "none"]) in (2, 5)
    assert world.apply() in (2, 5)
    assert world.files() == before
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err and (printed.out + printed.err).strip()


def test_the_plan_as_it_was_written_is_obeyed(world: World) -> None:
    save_plan(world.honest(), world.plan)
    assert world.apply() == 0
    assert not world.victim.exists() and world.keeper.exists()


def test_a_key_that_stands_twice_is_refused(world: World) -> None:
    save_plan(world.honest(), world.plan)
    text = world.plan.read_text()
    hidden = json.dumps(known_file_as_json(known_file(world.other)))
    world.plan.write_text(text.replace('"keeper": {', f'"victim": {hidden}, "keeper": {{', 1))
    before = world.files()
    assert world.apply() == 2 and world.files() == before


def test_a_plan_without_an_end_is_no_plan(world: World) -> None:
    assert main(["apply", "/dev/zero", "--yes"]) == 2


def left_alone(world: World, capsys: pytest.CaptureFixture[str], why: str) -> None:
    before = world.files()
    assert world.apply() == 5
    assert world.files() == before and why in capsys.readouterr().out


def test_a_folder_protected_after_the_plan_is_honoured_until_it_is_scanned_again(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    save_plan(world.honest(), world.plan)
    note_scan(world.library, (world.docs, "protect"), (world.outside, "scan"))
    left_alone(world, capsys, "is in a protected folder")
    note_scan(world.library, (world.docs, "scan"))
    assert world.apply() == 0


def test_a_folder_protected_by_another_of_its_names_is_honoured(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    save_plan(world.honest(), world.plan)
    (world.folder / "way").symlink_to(world.docs)
    note_scan(world.library, (world.folder / "way", "protect"), (world.outside, "scan"))
    left_alone(world, capsys, "is in a protected folder")


def test_a_document_kept_after_the_plan_stays_and_so_do_documents_that_are_no_duplicates(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    save_plan(world.honest(), world.plan)
    decisions = Decisions(world.library.parent / DECISIONS_NAME)
    content = hash_of(world.victim.read_bytes())
    decisions.store([(world.victim, content, Decision.KEEP)])
    left_alone(world, capsys, "was chosen to be kept")
    decisions.store([(world.victim, content, Decision.UNDECIDED)])

    documents = tuple(sorted((str(path), content) for path in (world.victim, world.keeper)))
    for kind in (VerdictKind.APART, VerdictKind.PAIR_APART):
        apart = StoredVerdict(kind, documents)
        decisions.store_verdicts([apart])
        left_alone(world, capsys, "were said to be no duplicates")
        decisions.store_verdicts([StoredVerdict(VerdictKind.REVIEWED, documents)], [apart])
    assert world.apply() == 0


def test_another_library_may_be_named(world: World) -> None:
    save_plan(world.honest(), world.plan)
    other = world.folder / "other" / "library.db"
    note_scan(other, (world.docs, "protect"), (world.outside, "scan"))
    before = world.files()
    assert main(["apply", str(world.plan), "--library", str(other)]) == 5
    assert world.files() == before


def test_a_folder_that_is_scanned_by_one_name_and_protected_by_another_is_protected(world: World) -> None:
    alias = world.folder / "a name before the other"
    alias.symlink_to(world.docs, target_is_directory=True)
    plan = world.honest()
    note_scan(world.library, (alias, "protect"), (world.docs, "scan"))
    save_plan(plan, world.plan)
    before = world.files()
    assert world.apply() == 5
    assert world.files() == before


def test_what_no_scan_has_entered_is_left_alone(world: World) -> None:
    left_out = world.folder / "left out"
    victim, keeper = (write(left_out / name, b"a text") for name in ("copy.txt", "letter.txt"))
    note_scan(world.library, (world.docs, "scan"), (left_out, "leave_out"))
    save_plan(plan_of([step(victim, keeper)], left_out), world.plan)
    assert world.apply() == 5
    assert contents(left_out) == {"copy.txt": b"a text", "letter.txt": b"a text"}
