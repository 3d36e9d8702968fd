"""Statutes that nobody passed: sections of stock phrases, amended again and again, beside acts that only amend."""

from __future__ import annotations

import random
from collections.abc import Sequence

LANGUAGES = ("en", "zh")

_THINGS = """licence|许可证;permit|批准文件;register|登记册;levy|征收款;inspection|检查;vessel|船舶;dwelling|住宅
seed|种子;fishery|渔场;pharmacy|药房;archive|档案;explosive|爆炸物;apprentice|学徒;waterway|航道;mine|矿山;orchard|果园
broadcast|广播;cemetery|墓地;ferry|渡口;kiln|窑炉;lottery|彩票;market stall|市场摊位
forest|森林;railway crossing|铁路道口"""
_BODIES = """the competent authority|主管机关;the district council|区议会;the minister|部长;the inspector|监察员
the registrar|登记官;the court|法院;the chamber|商会;the provincial office|省级办公室;the commission|委员会"""
_ACTS = """refuse|拒绝;renew|续展;withdraw|撤销;suspend|暂停;transfer|转让;publish|公布;examine|审查;certify|证明
record|记录;limit|限制;exempt|豁免;seal|封存"""
_GROUNDS = """where public safety so requires|为公共安全所必需的;if the fee has not been paid|未缴纳费用的
where the holder so requests|持有人提出申请的;if false particulars were given|提供虚假资料的
where the conditions are no longer met|不再符合条件的;in cases of urgency|情况紧急的
if the owner has died|所有人死亡的;where a neighbour objects|相邻人提出异议的"""
_SECTIONS = (
    (
        "{b} may {a} the {t} of a {u} {g}. The decision shall be given in writing and shall state its reasons.",
        "{g}，{b}可以{a}{u}的{t}。决定应当以书面形式作出，并说明理由。",
    ),
    (
        "Whoever keeps a {t} without a {u} shall be liable to a fine of up to {n} crowns; {g}, to twice that sum.",
        "未取得{u}而持有{t}的，处{n}元以下罚款；{g}，处以两倍的罚款。",
    ),
    (
        "For the purposes of this Act, {t} means every {u} that {b} has to {a} within {n} days.",
        "本法所称{t}，是指{b}应当在{n}日内{a}的{u}。",
    ),
    (
        "An application for a {t} shall be lodged with {b} not later than {n} days before the {u} is put to use.",
        "申请{t}的，应当在{u}投入使用的{n}日前向{b}提出。",
    ),
    (
        "{b} shall {a} every {t} and {o} every {u} {g}. The cost shall be borne by the holder.",
        "{g}，{b}应当{a}各项{t}，并{o}各项{u}。所需费用由持有人承担。",
    ),
    (
        "An appeal against a decision to {a} a {t} lies to {b} within {n} days; it has no suspensive effect {g}.",
        "对{a}{t}的决定不服的，可以在{n}日内向{b}申诉；{g}，申诉不停止执行。",
    ),
)
_AMENDING = (
    (
        'In section {n} of the {t} Act, the words "{u}" shall be replaced by the words "{b}".',
        "将{t}法第{n}条中的“{u}”修改为“{b}”。",
    ),
    (
        "Section {n} of the {t} Act shall be repealed; the sections that follow shall be renumbered.",
        "删去{t}法第{n}条，以下各条序号相应调整。",
    ),
    (
        "After section {n} of the {t} Act a section shall be inserted by which {b} may {a} a {u} {g}.",
        "在{t}法第{n}条后增加一条：{g}，{b}可以{a}{u}。",
    ),
)


def _rows(table: str) -> list[tuple[str, str]]:
    pairs = (row.split("|") for line in table.splitlines() for row in line.split(";"))
    return [(english, chinese) for english, chinese in pairs]


def _phrase(chance: random.Random, patterns: Sequence[tuple[str, str]], tongue: int) -> str:
    things, bodies, acts = chance.sample(_rows(_THINGS), 2), _rows(_BODIES), chance.sample(_rows(_ACTS), 2)
    slots = {
        "t": things[0][tongue], "u": things[1][tongue], "b": chance.choice(bodies)[tongue], "a": acts[0][tongue],
        "o": acts[1][tongue], "g": chance.choice(_rows(_GROUNDS))[tongue], "n": str(chance.randint(3, 400)),
    }  # fmt: skip
    text = chance.choice(patterns)[tongue].format(**slots)
    return text[0].upper() + text[1:]


def statute(seed: int, language: str, sections: int) -> list[str]:
    """The text of each section, without its number."""
    chance, tongue = random.Random(seed), LANGUAGES.index(language)
    glue = "" if tongue else " "
    return [glue.join(_phrase(chance, _SECTIONS, tongue) for _ in range(chance.randint(1, 3))) for _ in range(sections)]


def amended(sections: Sequence[str], language: str, repealed: int, inserted: int, seed: int) -> list[str]:
    """The next version: so many sections repealed, so many inserted, each at a place of its own."""
    chance = random.Random(seed)
    gone = set(chance.sample(range(len(sections)), repealed))
    amended_sections = [section for place, section in enumerate(sections) if place not in gone]
    for section in statute(seed + 1_000_000, language, inserted):
        amended_sections.insert(chance.randint(0, len(amended_sections)), section)
    return amended_sections


def numbered(sections: Sequence[str], language: str) -> list[str]:
    """As it is printed: an amendment changes the numbers of all sections behind it."""
    pattern = "第{}条　{}" if language == "zh" else "Section {}. {}"
    return [pattern.format(place, section) for place, section in enumerate(sections, 1)]


def amending_act(seed: int, language: str, orders: int) -> list[str]:
    """An act that only says what is to change in others."""
    chance, tongue = random.Random(seed), LANGUAGES.index(language)
    return [_phrase(chance, _AMENDING, tongue) for _ in range(orders)]
