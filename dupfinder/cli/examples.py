"""Examples of every verb, as its help and the manual page show them; and the exit codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

EXIT_CODES: Final = (
    "Exit codes: 0 done (also when the reader of the output went away), 2 wrong usage or bad input, 3 the library is "
    "in use, 4 a folder cannot be read, 5 a plan was refused or done in part, 130 stopped."
)

# Verb: (command, what it does).
EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str]]]] = MappingProxyType(
    {
        "scan": (
            ("dupfinder scan ~/Documents --protect ~/Documents/Signed", "scan, and show the groups"),
            ("dupfinder scan ~/Documents --report found.html --report found.json", "write two reports"),
            ("dupfinder scan . --include '*.pdf' --exclude old/ --newer 1y", "some of the files"),
            ("find . -name '*.docx' -print0 | dupfinder scan --files-from - -0", "the files of a list"),
            ("dupfinder scan . -q --format paths0 | xargs -0 ls -l", "copies that could go without loss"),
        ),
        "report": (
            ("dupfinder report --radius 3", "show the newest scan at another radius, without reading files again"),
            ("dupfinder report 2 --to strict.csv --min-similarity 0.9", "write scan 2 as a table"),
            ("dupfinder report --format json | jq '.clusters | length'", "for another program"),
        ),
        "diff": (("dupfinder diff old.docx new.pdf", "how the two texts differ"),),
        "explain": (
            ("dupfinder explain old.docx new.pdf", "what they are to each other, and why"),
            ("dupfinder explain --library", "what each radius finds in the library, and how surely"),
            ("dupfinder explain --library --labels pairs.csv", "precision and recall of each radius on your labels"),
        ),
        "query": (
            ("dupfinder query offer.pdf", "what in the library is like this file"),
            ("pbpaste | dupfinder query -", "what is like a text"),
        ),
        "select": (
            ("dupfinder select --keep newest --to plan.json", "identical and same-text copies, all but the newest"),
            (
                "dupfinder select --keep in:~/Archive --kinds identical,version --to plan.json",
                "versions as well, but for those in the archive",
            ),
        ),
        "apply": (
            ("dupfinder apply plan.json --dry-run", "what would go, and what stays for each"),
            ("dupfinder apply plan.json", "to the trash; asks before texts that differ go"),
        ),
        "history": (("dupfinder history --files", "every removal, with its files"),),
        "undo": (("dupfinder undo", "take the newest removal back"),),
        "recover": (
            ("dupfinder recover", "bring a removal that was cut off to an end"),
            ("dupfinder recover ~/Documents", "and give files there that it left under a name of its own theirs back"),
        ),
        "quarantine show": (("dupfinder quarantine show", "what was removed where there is no trash"),),
        "quarantine empty": (("dupfinder quarantine empty", "delete it for good, where the kept copy is still there"),),
        "library info": (("dupfinder library info", "what is stored"),),
        "library check": (("dupfinder library check", "whether it is whole"),),
        "library export": (
            ("dupfinder library export --to scan.npz", "the newest scan, for another library and for `index`"),
            ("dupfinder library export 2 --to prints.tsv", "fingerprints and paths of scan 2 as lines"),
        ),
        "library import": (
            ("dupfinder library import scan.npz --library team.db", "group what another machine has read"),
        ),
        "library clear": (("dupfinder library clear --library old.db", "remove a library, and no document"),),
        "fingerprint": (
            ("dupfinder fingerprint ~/Documents --to prints.npz", "64 bits of words weighted by tf-idf, with paths"),
            (
                "dupfinder fingerprint . --to s.npz --bits 128 --shingles 3 --hash rabin --sketch super",
                "128 bits of 3-word shingles by Rabin's numbers, and super-shingles",
            ),
            ("find . -name '*.md' | dupfinder fingerprint --files-from - --to prints.tsv", "as lines of text"),
        ),
        "index build": (
            ("dupfinder index build old.npy --to tables", "compressed tables for a radius of 3"),
            ("dupfinder index build old.npy --to tables --design 16 --rows", "the paper's 16 tables, with row numbers"),
        ),
        "index query": (
            ("dupfinder index query tables 0123456789abcdef", "what lies near a fingerprint"),
            ("dupfinder index query old.npy --from new.npy --radius 6", "near each of many"),
        ),
        "index join": (
            ("dupfinder index join old.npy --radius 3 --to pairs.npy", "all pairs of one file"),
            ("dupfinder index join new.npy --against old-1.npy old-2.npy", "a batch of new ones against old ones"),
        ),
        "index explain": (
            ("dupfinder index explain old.npy --radius 6", "which design serves a join, and why"),
            (
                "dupfinder index explain --count 8e9 --radius 3 --memory 64G --machines 200",
                "what eight billion fingerprints would take",
            ),
        ),
        "index info": (("dupfinder index info tables", "what an index holds, and whether it is whole"),),
        "weights learn": (("dupfinder weights learn", "how rare words are among your own documents"),),
        "weights show": (("dupfinder weights show", "what the weights in use say"),),
        "weights reset": (("dupfinder weights reset", "use the shipped weights again"),),
        "completion": (
            ("dupfinder completion bash > ~/.local/share/bash-completion/completions/dupfinder", "for bash"),
            ("dupfinder completion zsh > ~/.zfunc/_dupfinder", "for zsh, with ~/.zfunc in $fpath"),
            ("dupfinder completion fish > ~/.config/fish/completions/dupfinder.fish", "for fish"),
        ),
        "man": (("dupfinder man > ~/.local/share/man/man1/dupfinder.1", "install the manual page"),),
    }
)
