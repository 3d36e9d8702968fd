"""Numbers, sizes, shares, durations and dates as each language writes them."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from dupfinder.wording import figures
from dupfinder.wording.catalogue import number_text, speaking


@pytest.mark.parametrize(
    ("size", "expected"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 KB"), (142_000, "142 KB"), (999_600, "1.0 MB"),
     (1_900_000, "1.9 MB"), (38_200_000, "38.2 MB"), (1_840_000_000, "1.84 GB"), (5 * 10**15, "5,000 TB"),
     (999_499, "999 KB"), (999_500, "1.0 MB"), (99_400_000, "99.4 MB"), (100_400_000, "100 MB"),
     (9_940_000_000, "9.94 GB"), (10_500_000_000, "10.5 GB"), (102_400_000_000, "102 GB")],
)  # fmt: skip
def test_sizes_are_told_in_the_unit_that_fits(size: int, expected: str) -> None:
    assert figures.size_text(size) == expected


@pytest.mark.parametrize(
    ("share", "equal", "expected"),
    [
        (1.0, True, 100),
        (1.0, False, 99),
        (0.9999, False, 99),
        (0.7, False, 70),
        (0.6999, False, 69),
        (0.69999905, False, 70),  # lower by what 32-bit floats lose
        (0.6999989, False, 69),  # lower by more
    ],
)
def test_a_hundred_per_cent_is_said_of_equal_texts_alone(share: float, equal: bool, expected: int) -> None:
    assert figures.percent(share, equal=equal) == expected


def test_only_all_of_it_is_100_percent() -> None:
    assert figures.share_text(0.9999) == "99 %"
    assert figures.share_text(1.0) == "100 %"
    assert figures.share_text(0.97) == "97 %"
    shares = [float(np.float32(hundredth / 100)) for hundredth in range(101)]
    assert [figures.share_text(share) for share in shares] == [f"{hundredth} %" for hundredth in range(101)]
    assert figures.share_text(1 - 2**-24) == "99 %"
    assert figures.share_text(None) == "—"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(9.94, "9.9 s"), (9.95, "10 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (3599, "59 min 59 s"),
     (3600, "1 h 00 min"), (3_723_600, "1,034 h 20 min")],
)  # fmt: skip
def test_durations_are_told_in_the_units_that_fit(seconds: float, expected: str) -> None:
    assert figures.seconds_text(seconds) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "about 5 s"), (8, "about 10 s"), (57, "about 55 s"), (58, "about 1 min"), (76, "about 1 min 15 s"),
     (290, "about 4 min 45 s"), (299, "about 5 min"), (314, "about 5 min"), (5380, "about 89 min"),
     (5395, "about 1 h 30 min"), (9000, "about 2 h 30 min")],
)  # fmt: skip
def test_waiting_times_are_rounded_the_more_the_longer_they_are(seconds: float, expected: str) -> None:
    assert figures.waiting_text(seconds) == expected


def test_durations_and_dates_are_written_as_people_read_them() -> None:
    assert [figures.seconds_text(seconds) for seconds in (0.42, 12.3, 185, 7800)] == [
        "0.4 s",
        "12 s",
        "3 min 05 s",
        "2 h 10 min",
    ]
    assert figures.date_text(1_710_201_600 * 10**9) == "12 Mar 2024"
    assert figures.date_text(None) == "—"
    assert figures.date_text(10**30) == "—"


def test_each_language_writes_them_in_its_own_way() -> None:
    moment = datetime(2026, 11, 2, 9, 5, tzinfo=UTC).astimezone()
    clock = f"{moment.hour}:{moment.minute:02}"
    written = {}
    for language in ("en", "zh_CN", "es"):
        with speaking(language):
            written[language] = (
                number_text(1_234_567), number_text(0.5, 2), figures.size_text(1_900_000),
                figures.share_text(0.5), figures.seconds_text(185), figures.day_text(moment),
                figures.moment_text(moment),
            )  # fmt: skip
    assert written["en"][:-1] == ("1,234,567", "0.50", "1.9 MB", "50 %", "3 min 05 s", "2 Nov 2026")
    assert written["zh_CN"][:-1] == ("1,234,567", "0.50", "1.9 MB", "50%", "3 分 05 秒", "2026年11月2日")
    assert written["es"][:-1] == ("1.234.567", "0,50", "1,9 MB", "50 %", "3 min 05 s", "2 nov 2026")
    assert all(texts[-1].endswith(clock) for texts in written.values())
