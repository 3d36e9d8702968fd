"""Clauses about how a file was read, `base.details` in words, and about how its fingerprint was made."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from dupfinder.base.details import NUMBERS, Clause, Detail, Details
from dupfinder.base.display import shown
from dupfinder.wording.catalogue import N_, NP_, number_text, say, say_count
from dupfinder.wording.figures import joined, listed

_CLAUSES: Final[Mapping[Clause, str]] = {
    Clause.SYMBOLIC_LINK: N_("a symbolic link, which is not followed"),
    Clause.SPECIAL_FILE: N_("a pipe, socket or device, which is never opened"),
    Clause.OWN_FILE: N_("a file of dupfinder's own"),
    Clause.VERSION_CONTROL: N_("no document itself, but a sign that the files here are under version control"),
    Clause.MOVED_ASIDE: N_("moved here by an earlier removal"),
    Clause.ARCHIVE_NOT_OPENED: N_("an archive, and archives are not looked into"),
    Clause.ARCHIVE_MEMBERS: N_("an archive, listed by its members ({members})"),
    Clause.SAME_FILE: N_("the same file as {other} under another name"),
    Clause.HIDDEN_FILE: N_("a hidden file"),
    Clause.HIDDEN_FOLDER: N_("in a hidden folder"),
    Clause.FOREIGN_FOLDER: N_("in a folder of another program ({folder})"),
    Clause.EXCLUDED_NAME: N_("left out by its name"),
    Clause.EXCLUDED_PATTERN: N_("left out by a pattern"),
    Clause.OTHER_PATTERNS: N_("not among the chosen patterns"),
    Clause.OTHER_KINDS: N_("{kind} files are not among the chosen kinds"),
    Clause.SMALLER: N_("smaller than the chosen size"),
    Clause.LARGER: N_("larger than the chosen size"),
    Clause.CHANGED_BEFORE: N_("changed before the chosen time"),
    Clause.CHANGED_AFTER: N_("changed after the chosen time"),
    Clause.PROGRAM_TEXT: N_("a style sheet or source code, which is read only if you ask for it"),
    Clause.OVER_LIMIT: N_("{bytes} bytes, over the limit of {limit}"),
    Clause.ONLINE_ONLY: N_("stored online only; reading it would download it"),
    Clause.SYSTEM_ERROR: N_("the system said {error}"),
    Clause.FOLDER_NOT_LISTED: N_("it is a folder, and nothing in it was compared"),
    Clause.NOT_REGULAR: N_("it is not an ordinary file"),
    Clause.REPLACED_BY_LINK: N_("it was replaced by a symbolic link"),
    Clause.MAILBOX_MAILS: N_("a mailbox, listed by its mails ({members})"),
    Clause.ARCHIVE_CHANGED: N_("its archive changed while it was read"),
    Clause.HELD_NAME: N_("its own name is {name}"),
    Clause.UNREAD_KIND: "{kind}",
    Clause.EMPTY_FILE: N_("the file is empty"),
    Clause.NO_LETTERS: N_("no letters or digits in it"),
    Clause.FEW_WORDS: N_("nothing but short numbers, signs or very common words"),
    Clause.NOT_TEXT: N_("the content is not text"),
    Clause.NO_PREVIEW: N_(
        "Pages, Numbers or Keynote with no preview but a picture; export it as PDF to have it compared"
    ),
    Clause.RIGHTS_SCHEME: N_("copy-protected (DRM)"),
    Clause.NO_WORD_DOCUMENT: N_("there is no Word document of a known kind in it"),
    Clause.NO_PRESENTATION: N_("there is no presentation in it"),
    Clause.NO_BOOK: N_("there is no book in it"),
    Clause.NO_PAGE: N_("there is no web page in it"),
    Clause.NO_BODY: N_("there is no message in it"),
    Clause.NO_TEXT_PART: N_("no part of it has text"),
    Clause.NAMELESS_CHARACTERS: N_("its fonts do not tell which characters they show"),
    Clause.NO_TESSERACT: N_("scanned pages, and tesseract is not installed"),
    Clause.NO_LIBARCHIVE: N_("a 7z or RAR archive, and libarchive is not installed"),
    Clause.NOTHING_RECOGNISED: N_("scanned pages, and no words were recognised on them"),
    Clause.TESSERACT_FAILED: N_("scanned pages, and tesseract failed on them"),
    Clause.PARSER_FAILED: N_("its reader failed with {error}"),
    Clause.READER_REFUSED: N_("{reader} cannot open it"),
    Clause.BAD_XML: N_("a part is not valid XML"),
    Clause.DOCUMENT_TYPE: N_("a part is XML with a document type, which is not read for safety"),
    Clause.NO_DIRECTORY: N_("its table of contents is missing: the file may be incomplete"),
    Clause.PART_MISSING: N_("the part {part} is missing"),
    Clause.PART_DAMAGED: N_("the part {part} is damaged"),
    Clause.BAD_COMPOUND: N_("its inner directory is damaged"),
    Clause.BAD_WORD_TABLES: N_("the tables that tell where its text is are missing or damaged"),
    Clause.BAD_RICH_TEXT: N_("it is not valid rich text"),
    Clause.CELLS_APART: N_("its cells are too scattered to be a table"),
    Clause.PACKED_DAMAGED: N_("its packed bytes are damaged"),
    Clause.CUT_OFF: N_("it is incomplete"),
    Clause.UNPACKS_TO: N_("{bytes} bytes that unpack to {unpacked} or more"),
    Clause.PART_UNPACKS_TO: N_("the part {part} unpacks to {megabytes} MB or more"),
    Clause.PARTS_UNPACK_TO: N_("its parts unpack to over {megabytes} MB"),
    Clause.UNPACKING_NEEDS: N_("unpacking it needs {megabytes} MB of memory"),
    Clause.ARCHIVE_IN_ARCHIVE: N_("an archive inside an archive, which is not looked into"),
    Clause.NAME_A_MEMBER: N_("an archive or a mailbox; name a document in it, as in {example}"),
    Clause.NO_SUCH_MEMBER: N_("no such member in {archive}"),
    Clause.NO_ARCHIVE: N_("{archive} is not an archive"),
    Clause.SPLIT_ARCHIVE: N_("one part of an archive that was split"),
    Clause.DIRECTORY_MISPLACED: N_("the archive's directory is not where it should be"),
    Clause.DIRECTORY_TOO_LARGE: N_("the archive's directory alone has {megabytes} MB"),
    Clause.FIRST_MEGABYTES: N_("only the first {megabytes} MB of what it unpacks to are looked into"),
    Clause.MEMBERS_UNPACK_TO: N_("the members of its archive unpack to over {megabytes} MB"),
    Clause.BESIDE_FILE: N_("extra data that macOS stores beside a file"),
    Clause.SECOND_NAME: N_("a second name of another member"),
    Clause.SPARSE_FILE: N_("a sparse file, which is not unpacked"),
    Clause.UNKNOWN_MEMBER: N_("a member of an unknown kind"),
    Clause.UNKNOWN_PACKING: N_("packed with {method}, which is not read"),
    Clause.BEYOND_ARCHIVE: N_("it claims bytes outside the archive"),
    Clause.SHARED_BYTES: N_("it shares its bytes with other members"),
    Clause.MEMBER_MISPLACED: N_("it is not where its archive says"),
    Clause.MORE_THAN_SAID: N_("it unpacks to more than its archive says"),
    Clause.WRONG_CHECKSUM: N_("it is not what its archive says: the checksum differs"),
    Clause.READ_IN_PART: N_("only a part of it could be read"),
    Clause.READ_PLAINLY: N_("only its words could be read, not its layout"),
    Clause.READ_PLAINLY_TOO_SLOW: N_("only its words were read, not its layout, which took too long"),
    Clause.NO_PLAINER_READER: N_("there is no simpler way to read it"),
    Clause.NO_PLAIN_TEXT: N_("a simpler reading found no text in it"),
    Clause.SECOND_READER: N_("read by another reader, because its usual one failed"),
    Clause.RECOGNISED: N_("read by OCR ({languages})"),
    Clause.DELETIONS_LEFT_OUT: N_("tracked changes: deleted text left out"),
    Clause.OWN_ALARM: N_("its reading process ended itself, because it had taken too long"),
    Clause.AT_MEGABYTES: N_("at {megabytes} MB of memory"),
    Clause.MEMORY_LIMIT: N_("the memory limit was reached"),
    Clause.LARGE_ANSWER: N_("its text alone would take {megabytes} MB"),
    Clause.ENDED_FROM_OUTSIDE: N_("its reading process was ended from outside, twice"),
    Clause.ENDED_BY_SIGNAL: N_("its reading process ended with {signal}"),
    Clause.ENDED_OUT_OF_MEMORY: N_("its reading process ended with {signal}, as libraries do when memory runs out"),
    Clause.ENDED_WITH_STATUS: N_("its reading process ended with exit code {status}"),
    Clause.FAILED_AT: N_("its reader failed with {error} at {module}:{line}"),
    Clause.IMPOSSIBLE_ANSWER: N_("its reading process gave an impossible answer"),
    Clause.PROCESS_GONE: N_("the process that starts reading processes has ended"),
    Clause.MODULE_MISSING: N_("a module of the program is missing: {error}"),
    Clause.EARLIER: "{text}",
}
# Clauses with a number: the fact that is counted, the singular and the plural form.
_COUNTED: Final[Mapping[Clause, tuple[str, tuple[str, str]]]] = {
    Clause.NO_TEXT_LAYER: (
        "pages", NP_("{count} page without a text layer", "{count} pages without a text layer")),
    Clause.DAMAGED_AFTER: (
        "members", NP_("it is damaged or incomplete after {count} member",
                       "it is damaged or incomplete after {count} members")),
    Clause.UNPACKED_UP_TO: (
        "members", NP_("libarchive unpacks it up to its first member only",
                       "libarchive unpacks it up to its first {count} members only")),
    Clause.MORE_MEMBERS: (
        "members", NP_("it holds more than {count} member, and the others are not listed",
                       "it holds more than {count} members, and the others are not listed")),
    Clause.PAGES_READ: (
        "pages", NP_("{read} of {count} page read", "{read} of {count} pages read")),
    Clause.CHARACTERS_READ: (
        "characters", NP_("only the first character was read", "only the first {count} characters were read")),
    Clause.ATTACHMENTS_NOT_READ: (
        "attachments", NP_("{count} attachment not read", "{count} attachments not read")),
    Clause.AFTER_SECONDS: ("seconds", NP_("after {count} second", "after {count} seconds")),
}  # fmt: skip
# Names of formats.
_KINDS: Final[Mapping[str, str]] = {
    "djvu": "DjVu", "postscript": "PostScript",
    "kindle": N_("a Kindle book"), "hangul": N_("a Hangul document"), "visio": N_("a Visio drawing"),
    "windows_help": N_("compiled help of Windows"), "dvi": N_("output of TeX (DVI)"),
    "microsoft_reader": N_("a book of Microsoft Reader"), "onenote": N_("a OneNote section"),
    "publisher": N_("a Publisher document"), "wordperfect": N_("a WordPerfect document"),
    "outlook": N_("a mailbox of Outlook (PST)"),
}  # fmt: skip
# The most frequent errors of the system.
_ERRORS: Final[Mapping[str, str]] = {
    "EACCES": N_("permission denied"),
    "EPERM": N_("permission denied"),
    "ENOENT": N_("it is not there"),
    "EEXIST": N_("a file of this name is there already"),
    "ENOTDIR": N_("a part of its path is not a folder"),
    "EISDIR": N_("it is a folder"),
    "ENODEV": N_("its drive is not connected"),
    "EIO": N_("the disk could not read or write it"),
    "ENAMETOOLONG": N_("file name too long"),
    "ELOOP": N_("symbolic links lead in a circle"),
    "EMFILE": N_("too many files are open"),
    "ENFILE": N_("too many files are open"),
    "ENOSPC": N_("no space is left on the disk"),
    "EDQUOT": N_("no space is left on the disk"),
    "EROFS": N_("the file system can only be read"),
    "EBUSY": N_("another program is using it"),
    "ETXTBSY": N_("another program is using it"),
    "ESTALE": N_("the network drive no longer knows it"),
    "ETIMEDOUT": N_("the network drive did not answer in time"),
}
# Windows says the same of a file that is open elsewhere as of a forbidden one; its paths, not its names, are short.
_ERRORS_OF_WINDOWS: Final[Mapping[str, str]] = {
    "EACCES": N_("permission denied, or another program has it open"),
    "ENAMETOOLONG": N_("its path is longer than the 260 characters that Windows allows unless it is set to allow more"),
}


def clauses(facts: Details) -> str:
    """Return details as one clause, with their facts safe to show; "" for none."""
    return joined(map(_clause, facts))


def error_words(name: str) -> str:
    """Return the name of a system error ("EACCES") as a clause."""
    if sys.platform == "win32" and name in _ERRORS_OF_WINDOWS:
        return say(_ERRORS_OF_WINDOWS[name])
    return say(_ERRORS[name]) if name in _ERRORS else say(N_("the system said {error}"), error=shown(name))


def _clause(detail: Detail) -> str:
    if detail.code is Clause.SYSTEM_ERROR:
        return error_words(str(detail.facts["error"]))
    facts = {name: _fact(name, value) for name, value in detail.facts.items()}
    if detail.code in _COUNTED:
        counts, forms = _COUNTED[detail.code]
        number = detail.facts[counts]
        assert isinstance(number, int)
        return say_count(*forms, number, **facts)
    return say(_CLAUSES[detail.code], **facts)


def _fact(name: str, value: int | str) -> str:
    if name == "kind" and isinstance(value, str):
        return say(_KINDS[value]) if value in _KINDS else shown(str(value))
    return number_text(int(value)) if name in NUMBERS else shown(str(value))


def made_by_words(made_by: str) -> str:
    """Return how fingerprints were made, given as `Scheme.made_by`: "64 bits of words weighted by tf-idf, revision 6".

    What an earlier version wrote is returned as it is.
    """
    facts = dict(fact.split("=", 1) for fact in made_by.split(";") if "=" in fact)
    if not facts.keys() >= {"bits", "features", "weights", "revision"}:
        return made_by
    facts["weights"] += f" {facts['learned']}" if "learned" in facts else ""
    if facts["features"] == "words":
        parts = [say("{bits} bits of words weighted by {weights}", **facts)]
    else:
        parts = [say("{bits} bits of {shingle}-token shingles ({hash}) weighted by {weights}", **facts)]
    optional = {
        "top": N_("the heaviest {top}"),
        "scale": N_("scaled to {scale}"),
        "simplify": N_("Chinese simplified"),
        "revision": N_("revision {revision}"),
    }
    return listed(parts + [say(pattern, **facts) for name, pattern in optional.items() if name in facts])
