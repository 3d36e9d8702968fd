"""Details: codes with facts, which are kept for years and come from processes that are not believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import LONGEST_FACT, NUMBERS, Clause, Detail, Details, details, details_of, stored


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
