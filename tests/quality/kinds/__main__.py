"""`python -m tests.quality.kinds OUT [KIND ...]`: write the made kinds and their labels.json into a new folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.quality.kinds import copies, edits, forms, frames, office, scans, shown, wholes
from tests.quality.kinds.writing import Writer
from tests.quality.making import Folder, write_suite

KINDS: dict[str, Callable[[Writer], Iterator[tuple[str, Folder]]]] = {
    "scattered": edits.scattered_edits, "scans": scans.scans, "mails": frames.mails, "quoted": frames.quoted_mails,
    "letterheads": frames.letterheads, "forms": forms.filled_forms, "edited-forms": forms.edited_fillings,
    "tables": forms.tables, "histories": wholes.histories, "small-edits": edits.small_edits,
    "moved": edits.moved_paragraphs, "parts": wholes.parts, "compilations": wholes.compilations,
    "licences": frames.licences, "one-subject": frames.one_subject, "subtitles": shown.subtitles,
    "numbered": shown.numbered, "printed": shown.printed, "encodings": shown.encodings,
    "questionnaires": forms.questionnaires, "references": forms.references,
    "numbered-forms": forms.numbered_forms,
    "timed": shown.timed, "exported": shown.exported, "sources": shown.sources,
    "copies": copies.copies, "applications": copies.applications,
    "boilerplate": office.around_boilerplate, "rewritten": office.rewritten, "headed-parts": office.headed_parts,
    "clauses": office.from_clauses, "optional": office.optional_paragraphs,
}  # fmt: skip


def main() -> int:
    """Make the kinds that were asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.kinds", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder that is not there yet")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; all if none")
    arguments = parser.parse_args()
    if unknown := set(arguments.kinds) - set(KINDS):
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    if arguments.out.exists():
        parser.error(f"{arguments.out} is there already")
    chosen = arguments.kinds or list(KINDS)
    writer = Writer()
    write_suite(arguments.out, (part for kind in chosen for part in KINDS[kind](writer)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
