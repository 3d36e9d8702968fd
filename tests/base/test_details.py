"""Details: codes with facts, which are kept for years and come from processes that are not believed."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import (
    LONGEST_FACT,
    NUMBERS,
    Clause,
    Detail,
    Details,
    details,
    details_of,
    error_name,
    stored,
)


def any_details() -> st.SearchStrategy[Details]:
    """Details of different codes with any facts."""

    def of(code: Clause) -> st.SearchStrategy[Detail]:
        values: dict[str, st.SearchStrategy[int | str]] = {
            name: st.integers(-(2**63), 2**63 - 1) if name in NUMBERS else st.text(st.characters(), max_size=20)
            for name in code.facts
        }
        return st.builds(lambda facts: Detail(code, facts), st.fixed_dictionaries(values))

    codes = st.lists(st.sampled_from(Clause), unique=True, max_size=4)
    return codes.flatmap(lambda chosen: st.tuples(*map(of, chosen)))


@given(any_details())
def test_details_are_stored_as_text_and_come_back(some: Details) -> None:
    text = stored(some)
    assert text.isascii()
    assert details_of(text) == some


@pytest.mark.parametrize(
    "text",
    ["needs a password", "{", '{"a_code_of_a_later_version":{}}', '{"cut_off":{"seconds":1}}', '{"cut_off":"x"}', "[]"],
)
def test_a_stored_text_that_is_no_detail_is_shown_as_it_is(text: str) -> None:
    assert details_of(text) == details(Clause.EARLIER, text=text)


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        (Clause.CUT_OFF, {"seconds": 1}),
        (Clause.AFTER_SECONDS, {}),
        (Clause.AFTER_SECONDS, {"seconds": "12"}),
        (Clause.AFTER_SECONDS, {"seconds": True}),
        (Clause.AFTER_SECONDS, {"seconds": 1 << 63}),
        (Clause.SAME_FILE, {"other": 3}),
    ],
)
def test_facts_that_a_code_does_not_have_are_refused(code: Clause, facts: dict[str, int | str]) -> None:
    with pytest.raises(ValueError, match="facts"):
        Detail(code, facts)


def test_long_facts_of_a_detail_are_clipped() -> None:
    (detail,) = details(Clause.SAME_FILE, other="x" * 10_000_000)
    assert len(str(detail.facts["other"])) == LONGEST_FACT


class _ErrorOfWindows(OSError):
    """An error with a number of Windows, which Python has there alone."""

    def __init__(self, number: int, winerror: int, path: str = "C:\\a.txt") -> None:
        super().__init__(number, "as Windows says it", path)
        self.winerror = winerror


@pytest.mark.parametrize(
    ("number", "winerror", "name"),
    [
        (errno.EACCES, 32, "EBUSY"),  # open in Word
        (errno.EACCES, 5, "EACCES"),
        (errno.EINVAL, 64, "ENODEV"),  # a share whose network went away
        (errno.ENOENT, 53, "ENODEV"),
        (errno.ENOENT, 2, "ENOENT"),
        (errno.EINVAL, 121, "ETIMEDOUT"),
    ],
)
def test_an_error_of_windows_is_named_by_what_windows_says(number: int, winerror: int, name: str) -> None:
    assert error_name(_ErrorOfWindows(number, winerror)) == name


def test_a_path_that_is_too_long_for_windows_is_not_said_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "C:\\" + "\\".join(["a folder of a share"] * 13)
    assert len(deep) > 257
    errors = [_ErrorOfWindows(errno.ENOENT, 3, deep), FileNotFoundError(errno.ENOENT, "not there", Path(deep))]
    assert [error_name(error) for error in errors] == ["ENOENT"] * 2
    monkeypatch.setattr("sys.platform", "win32")
    assert [error_name(error) for error in errors] == ["ENAMETOOLONG"] * 2
    assert error_name(_ErrorOfWindows(errno.ENOENT, 3)) == "ENOENT"
    assert error_name(FileNotFoundError(errno.ENOENT, "not there", "C:\\a.txt", 3, deep)) == "ENAMETOOLONG"


def test_an_error_that_windows_lists_among_those_of_networks_has_the_usual_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(errno.errorcode, errno.ELOOP, "WSAELOOP")
    assert error_name(OSError(errno.ELOOP, "a link")) == "ELOOP"
