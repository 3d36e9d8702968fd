"""The proposed keeper: the best by facts in their order, and the criterion that decided."""

from __future__ import annotations

import itertools
import os
import unicodedata
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.cluster.keeper import (
    COMPLETE,
    PROTECTED,
    STATE,
    Editions,
    KeeperReason,
    choose,
    claims,
    degrees,
    is_of_program,
    oldest,
    preference,
    provisional_names,
    reason,
    richness_of,
    state_of,
)
from dupfinder.text.document import MediaType
from tests.cluster.making import graphs, pairs_of


def test_every_format_has_its_rank() -> None:
    missing = [kind.value for kind in MediaType if kind and not richness_of(kind.value)]
    assert not missing, f"no row in _RICHNESS of cluster/keeper.py: {missing}"


def editions_of(paths: list[str]) -> Editions:
    return Editions(len(paths), lambda rows: [paths[row] for row in rows.tolist()])


def older_by_name(paths: list[str], groups: list[int]) -> NDArray[np.bool_]:
    return editions_of(paths).older(np.arange(len(paths)), np.array(groups))


def claims_of(paths: list[str], mtimes: list[int]) -> NDArray[np.int64]:
    """Return the claims of complete text files without dates inside."""
    zeros, times = np.zeros(len(paths), np.int64), np.array(mtimes, np.int64)
    return claims(zeros > 0, zeros == 0, paths, zeros, (zeros - 1, times), zeros.astype(np.int32), times)


@pytest.mark.parametrize(
    "name",
    [
        "Copy of letter.txt", "letter - Copy.docx", "letter (1).pdf", "letter (12).pdf", "letter_copy.txt",
        "letter.bak.txt", "letter old.txt", "letter 副本.docx", "letter - copia.doc", "letter – Kopie.odt",
        "letter копия.txt", "letter backup 2.txt", "copy.txt", "LETTER (COPY).TXT", "letter draft 2.docx",
        "合同（草稿）.docx", "Entwurf Brief.odt", "download.pdf", "论文_初稿.docx", "办法（征求意见稿）.doc",
        "通知（1）.pdf", "合同 - 复制.docx", "報告備份.odt", "계약서 사본.docx", "合同_旧版.doc",
        "letter (Ann's conflicted copy 2024-01-02).txt",
    ],
)  # fmt: skip
def test_names_that_say_copy_or_draft_are_seen(name: str) -> None:
    assert provisional_names(os.path.join(os.sep, "docs", name)) == 1


@pytest.mark.parametrize(
    "folder",
    ["Downloads", "Download", "Descargas", "Téléchargements", "Te\u0301le\u0301chargements", "下载", "ダウンロード",
     "Backup of 2019", "Contracts (1)", "old", "tmp", "Drafts", "Загрузки"],
)  # fmt: skip
def test_folders_for_copies_drafts_and_downloads_are_seen(folder: str) -> None:
    assert provisional_names(os.path.join(os.sep, "docs", folder, "2024", "letter.txt")) == 1
    assert provisional_names(os.path.join(os.sep, "docs", folder, "letter (1).txt")) == 2


@pytest.mark.parametrize(
    "name",
    ["letter.txt", "copyright.txt", "Copyhold law.pdf", "golden age.txt", "letter (2024).pdf", "report (final).docx",
     "bakery.txt", "folder.md", "scope.txt", "photocopying.txt", "template.docx", "Templates", "overdraft.txt",
     "contemporary.md", "Archive", "Desktop", "Cachet"],
)  # fmt: skip
def test_names_that_only_sound_like_it_are_not(name: str) -> None:
    assert provisional_names(os.path.join(os.sep, "docs", name)) == 0
    assert provisional_names(os.path.join(os.sep, "docs", name, "letter.txt")) == 0


@pytest.mark.parametrize("folder", [".cache", ".thunderbird", "INetCache", "Caches", "AppData"])
def test_a_folder_that_a_program_empties_unasked_is_worse_than_one_of_downloads(folder: str) -> None:
    mail, download = (os.path.join(os.sep, "docs", place, "letter.txt") for place in (folder, "Downloads"))
    assert provisional_names(mail) > provisional_names(download)
    columns = claims_of([mail, download], [0, 0])
    assert columns[0, 5] < columns[1, 5] < 0


@pytest.mark.skipif(os.sep != "/", reason="other systems show plugged-in disks by letters")
def test_disks_that_are_plugged_in_are_no_plain_places() -> None:
    for folder in ("/media/mara/STICK", "/run/media/mara/STICK", "/Volumes/STICK"):
        assert provisional_names(f"{folder}/letter.txt") == 1
    for folder in ("/home/mara/media", "/mnt/archive", "/Users/mara/Volumes"):
        assert provisional_names(f"{folder}/letter.txt") == 0


def test_of_identical_files_the_one_outside_the_downloads_stays() -> None:
    paths = ["/home/ann/Downloads/lease.pdf", "/home/ann/Property/Harbour Road/lease.pdf"]
    assert preference(claims_of(paths, [1, 9])).argmax() == 1


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("Contract.docx", 0), ("Contract draft.docx", -1), ("old/Contract.docx", -1), ("合同（草稿）.docx", -1),
        ("Contract FINAL.docx", 1), ("Contract_revised.docx", 1), ("Vertrag endgültig.odt", 1), ("论文终稿.docx", 1),
        ("方案_最新版.docx", 1), ("Informe definitivo.docx", 1), ("rapport définitif.odt", 1), ("办法（定稿）.docx", 1),
        ("Contract signed.pdf", 2), ("Contrato firmado.pdf", 2), ("合同（已签字）.pdf", 2), ("contrat signé.pdf", 2),
        ("Contract final signed.pdf", 2), ("Contract unsigned.pdf", 0), ("Contract final draft.docx", -1),
        ("Plan.txt.bak", -1), ("Plan.txt~", -1), ("Plan.docx.old", -1), ("Plan.orig", -1), ("Origami.txt", 0),
        ("Policy (superseded).txt", -1), ("Informe viejo.txt", -1), ("合同（作废）.docx", -1),
        ("Contract (to be signed).pdf", 0), ("Vertrag nicht unterschrieben.pdf", 0), ("계약 미서명.pdf", 0),
        ("Not final.txt", 0), ("Invoice No 12 signed.pdf", 2), (unicodedata.normalize("NFD", "계약 서명.pdf"), 2),
        ("合同_未签字.pdf", 0), ("Signed/Contract.pdf", 2), ("Backup/Contract signed.pdf", -1), ("Finalists.docx", 0),
    ],
)  # fmt: skip
def test_the_state_of_a_text_is_seen_in_its_name_and_folders(path: str, state: int) -> None:
    assert state_of(os.path.join("/docs", path)) == state
    assert claims_of([f"/docs/{path}"], [0])[0, STATE] == state


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Report v2.docx", "Report v10.docx"), ("Report.docx", "Report_V2.pdf"), ("Plan 2.txt", "Plan 12.txt"),
        ("Plan v1.9.txt", "Plan v1.10.txt"), ("Plan v2 (1).docx", "Plan_v3.docx"), ("Plan.docx", "Plan-2.docx"),
        ("Minutes 2024-03-01.docx", "Minutes 2024-10-01.docx"), ("20231231 Minutes.txt", "2024-01-01 Minutes.txt"),
        ("Protokoll 15.02.2024.txt", "Protokoll 01.03.2024.txt"), ("Terms 2023 v2.txt", "Terms 2024 v1.txt"),
        ("报告2024年3月1日.docx", "报告2024年10月1日.docx"), ("合同.doc", "合同v2.doc"),
        ("方案二稿.docx", "方案第三稿.docx"), ("Bid_20240301.txt", "Bid_20240315.txt"),
        ("Guide-3.9.md", "Guide-3.10.md"), ("Plan 12.2023.txt", "Plan 01.2024.txt"),
        ("Notes_20230105_103000.txt", "Notes_20240105.txt"), ("Plan 20240105-1.txt", "Plan 20241231.txt"),
        ("Informe versión 2.odt", "Informe versión 3.odt"), ("2022/Policy.txt", "2024/Policy.txt"),
        ("Release 3.16/Guide.md", "Release 4.1.2/Guide.md"), ("2023/Plan v2.txt", "2022/Plan v3.txt"),
    ],
)  # fmt: skip
def test_names_that_differ_in_dates_or_versions_alone_tell_the_newer_one(older: str, newer: str) -> None:
    assert older_by_name([f"/docs/{older}", f"/docs/{newer}"], [0, 0]).tolist() == [True, False]
    assert older_by_name([f"/docs/{older}", f"/docs/{newer}"], [0, 1]).tolist() == [False, False]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Plan.txt", "Plan (1).txt"), ("Plan v1.txt", "Plan.txt"), ("Plan v2.txt", "Budget v3.txt"),
        ("Minutes.docx", "Minutes 2024-03-01.docx"), ("Client 12/Letter.txt", "Client 15/Letter.txt"),
        ("01 Letter.txt", "02 Letter.txt"), ("Invoice 1001.txt", "Invoice 1002.txt"), ("Plan.txt", "2023/Plan.txt"),
        ("Minutes 03-01-2024.txt", "Minutes 02-15-2024.txt"), ("Plan 05-01-2024.txt", "Plan 2024-01-05.txt"),
        ("Protokoll 15.03.23.txt", "Protokoll 01.04.24.txt"),
    ],
)  # fmt: skip
def test_other_names_tell_of_no_order(left: str, right: str) -> None:
    assert not older_by_name([f"/docs/{left}", f"/docs/{right}"], [0, 0]).any()


NAMES = st.builds(
    "/{}/{}{}.txt".format,
    st.sampled_from(["a", "2023", "2024", "Copies"]),
    st.sampled_from(["Plan", "Plan 2023", "2024 Plan", "Budget"]),
    st.sampled_from(["", " v2", " v3", " 3", " (1)"]),
)


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), st.randoms())
def test_the_newest_by_name_depends_on_no_order_and_is_never_none(paths: list[str], random: Random) -> None:
    mixed = random.sample(paths, len(paths))
    older = dict(zip(mixed, older_by_name(mixed, [0] * len(mixed)).tolist(), strict=True))
    assert [older[path] for path in paths] == older_by_name(paths, [0] * len(paths)).tolist()
    assert not all(older.values())
    by_pairs = [any(older_by_name([path, other], [0, 0])[0] for other in paths if other != path) for path in paths]
    assert by_pairs == [older[path] for path in paths]


def test_names_that_seem_to_have_no_numbers_are_told_as_if_all_were_parsed() -> None:
    before = ["/", "/19", "/Plan ", "/rev", "/Plan ver", "/versión", "/versão", "/第", "/v"]
    numbers = [
        "",
        "1",
        "12",
        "198",
        "2023",
        "12345",
        "20230105",
        "123456789",
        "3.16",
        "198.12345",
        "一",
        "三",
        "٣",
        "一二",
    ]
    after = ["", ".txt", "稿", "版", "\uf98e1月", "年1月2日", " b", "(1).txt", "/Plan"]
    pairs = [
        [name + number + rest for number in two]
        for name, rest in itertools.product(before, after)
        for two in itertools.permutations(numbers, 2)
    ]
    groups = np.repeat(np.arange(len(pairs)), 2).tolist()
    paths = list(itertools.chain(*pairs))
    older = older_by_name(paths, groups)
    # One more name that has a number has all names of its group parsed.
    with_numbers = older_by_name([*paths, *["/other 1"] * len(pairs)], [*groups, *range(len(pairs))])
    assert older.tolist() == with_numbers[: len(paths)].tolist()
    assert len(pairs) > older.sum() > len(pairs) / 4


def test_a_copy_makes_no_text_newer() -> None:
    times, texts = np.array([2012, 2023, 2024, -1], np.int64), np.array([0, 1, 0, 1], np.int32)
    assert oldest(times, texts, -1).tolist() == [2012, 2023, 2012, 2023]
    assert oldest(np.array([-1], np.int64), np.array([0], np.int32), -1).tolist() == [-1]


def test_of_texts_whose_files_were_copied_in_one_day_the_longer_one_is_preferred() -> None:
    noon, zeros = 1_700_049_600_000_000_000, np.zeros(3, np.int64)
    times = np.array([noon, noon + 9_000_000_000, noon - 86_400_000_000_000], np.int64)
    columns = claims(zeros > 0, zeros == 0, ["/a", "/b", "/c"], zeros, (zeros - 1, times),
                     np.array([120, 100, 900], np.int32), times)  # fmt: skip
    assert preference(columns).argsort().tolist() == [2, 1, 0]


def test_each_name_is_seen_among_many() -> None:
    names = ["letter.txt", "letter (1).pdf", "copyright.txt", "Copy of letter.txt", "", "letter 副本.docx",
             "\u212aopie.odt", "论文初稿.docx", "复制.txt", "合同 - 复制.txt",
             "backup", "scope.txt", "letter(x).txt", "old", "a\nold", "(3)", "bold.txt", "KOPIE.TXT",
             "\u0130 copy.txt"] * 3  # fmt: skip
    count = len(names)
    paths = [f"/letters/{name}" for name in names]
    columns = claims_of(paths, [0] * count)
    assert columns[:, 5].tolist() == [-provisional_names(path) for path in paths]
    assert columns[:, STATE].tolist() == [state_of(path) for path in paths]
    assert columns[:, 9].tolist() == [-len(path) for path in paths]


# What a document of a group has: values of its columns, its degree, its text, its path.
Facts = tuple[list[int], int, int, str]


@st.composite
def groups(draw: st.DrawFn) -> list[Facts]:
    """Draw the documents of a group. Values are few, for many ties."""
    paths = draw(st.lists(NAMES, min_size=2, max_size=7, unique=True))
    bits = st.lists(st.integers(0, 1), min_size=10, max_size=10)
    return [(draw(bits), draw(st.integers(0, 2)), draw(st.integers(0, 2)), path) for path in paths]


def kept_of(group: list[Facts]) -> tuple[str, KeeperReason]:
    """Return the path of the keeper, and why it was chosen."""
    facts, central, texts, _ = zip(*group, strict=True)
    paths = [path for *_, path in group]
    claimed, members = np.array(facts, np.int64), np.arange(len(group), dtype=np.int32)
    are_near, same = np.array(central, np.int64), np.array(texts, np.int32)
    (kept,) = choose(members, np.zeros_like(members), are_near, same, claimed, preference(claimed), editions_of(paths))
    return paths[kept], reason(int(kept), members, are_near, same, claimed, editions_of(paths))


@given(groups(), st.randoms())
def test_the_keeper_depends_on_the_claims_alone_and_not_on_the_order_of_documents(
    group: list[Facts], random: Random
) -> None:
    kept, why = kept_of(group)
    again, why_again = kept_of(random.sample(group, len(group)))
    assert why == why_again and (kept == again or why is KeeperReason.FIRST)


@given(groups())
def test_the_keeper_is_the_best_by_the_claims_in_their_order(group: list[Facts]) -> None:
    remaining, last, deciding = group, KeeperReason.FIRST, list[KeeperReason]()
    column = 0
    criteria = [why for why in KeeperReason if why not in ("alone", "signed", "final", "first")]
    for why in criteria:
        if why is KeeperReason.EDITION:
            older = older_by_name([path for *_, path in remaining], [0] * len(remaining))
            is_mixed = len({text for _, _, text, _ in remaining}) > 1
            better = [fact for fact, is_older in zip(remaining, older, strict=True) if not (is_mixed and is_older)]
        elif why is KeeperReason.CENTRAL:
            better = [fact for fact in remaining if fact[1] == max(central for _, central, *_ in remaining)]
        else:
            better = [fact for fact in remaining if fact[0][column] == max(values[column] for values, *_ in remaining)]
            column += 1
        deciding += [why] if len(better) < len(remaining) else []
        last = why if len(better) == 1 < len(remaining) else last
        remaining = better
    if last is not KeeperReason.FIRST:  # what others are ahead in is not told
        last = [why for why in deciding if not ahead_by(why, remaining[0], group)][-1]
    if last is KeeperReason.NO_DRAFT and remaining[0][0][STATE] == 1:
        last = KeeperReason.FINAL
    assert kept_of(group) == (remaining[0][3], last)


def ahead_by(why: KeeperReason, kept: Facts, group: list[Facts]) -> list[str]:
    """Return the paths of the documents that are ahead of the kept one by a criterion."""
    columns = [name for name in KeeperReason if name not in ("alone", "signed", "final", "first", "central", "edition")]
    if why is KeeperReason.CENTRAL:
        return [path for _, central, _, path in group if central > kept[1]]
    if why is KeeperReason.EDITION:
        return [path for *_, path in group if older_by_name([kept[3], path], [0, 0])[0]]
    column = columns.index(why)
    return [path for values, *_, path in group if values[column] > kept[0][column]]


def test_what_is_kept_is_not_told_to_be_the_newest_where_a_newer_one_is_less_like_the_others() -> None:
    values = [0] * 10
    versions = [(values, 2, 0, "/d/Plan v7.docx"), (values, 2, 1, "/d/Plan v6.docx"), (values, 1, 2, "/d/Plan v9.docx")]
    assert kept_of(versions) == ("/d/Plan v7.docx", KeeperReason.CENTRAL)
    assert kept_of(versions[:2]) == ("/d/Plan v7.docx", KeeperReason.EDITION)


def test_what_a_document_brings_is_read_off_its_columns() -> None:
    columns = claims(
        np.array([True, False]),
        np.array([False, True]),
        ["/docs/a (1).txt", "/docs/deep/b final.docx"],
        np.array([richness_of("txt"), richness_of("docx")]),
        (np.array([-1, 1_700_000_000]), np.array([86_400_000_000_000, 5])),
        np.array([10, 20], np.int32),
        np.array([5, 6], np.int64),
    )
    assert columns[:, PROTECTED].tolist() == [1, 0]
    assert columns[:, COMPLETE].tolist() == [0, 1]
    assert columns[:, STATE].tolist() == [0, 1]
    assert columns[1, 3] > columns[0, 3]  # the richer format
    assert columns[:, 4:].tolist() == [[-1, -1, 1, 10, 5, -15], [1_700_000_000, 0, 0, 20, 6, -23]]


@given(graphs(10, 30))
def test_a_document_is_as_central_as_it_has_pairs(graph: tuple[int, list[tuple[int, int, int]]]) -> None:
    count, rows = graph
    pairs = pairs_of(rows)
    counts = degrees(count, pairs.left, pairs.right)
    assert counts.tolist() == [sum(row in pair[:2] for pair in rows) for row in range(count)]


@pytest.mark.parametrize(
    ("folder", "of_program"),
    [
        ("letters", False), ("the keynote", False), (".cache/mail", True), ("AppData/Local/Temp", True),
        ("letters/offer.rtfd", True), ("Mail.app/Contents/Resources", True), ("minutes.pages/Data", True),
    ],
)  # fmt: skip
def test_what_is_in_a_hidden_folder_a_cache_or_a_package_of_macos_belongs_to_a_program(
    folder: str, of_program: bool
) -> None:
    assert is_of_program(folder.replace("/", os.sep)) is of_program
