"""Prose that no one wrote: the same chance gives the same story in English, Spanish and Chinese, so that translations,
versions and strangers can be made in any number."""

from __future__ import annotations

import random
from collections.abc import Sequence

LANGUAGES = ("en", "es", "zh")

_NOUNS = """the harbour|el puerto|港口;the letter|la carta|信件;the baker|el panadero|面包师;the bridge|el puente|桥梁
the orchard|el huerto|果园;the engine|el motor|发动机;the teacher|la maestra|老师;the lantern|el farol|灯笼
the ledger|el registro|账本;the violin|el violín|小提琴;the surgeon|el cirujano|外科医生;the mirror|el espejo|镜子
the glacier|el glaciar|冰川;the carpet|la alfombra|地毯;the judge|el juez|法官;the compass|la brújula|指南针
the kitchen|la cocina|厨房;the painter|el pintor|画家;the railway|el ferrocarril|铁路;the needle|la aguja|针线
the archive|el archivo|档案;the shepherd|el pastor|牧羊人;the chimney|la chimenea|烟囱;the cellar|la bodega|地窖
the telescope|el telescopio|望远镜;the merchant|el comerciante|商人;the sail|la vela|船帆;the recipe|la receta|食谱
the fountain|la fuente|喷泉;the soldier|el soldado|士兵;the treaty|el tratado|条约;the bell|la campana|钟楼
the meadow|el prado|草地;the printer|el impresor|印刷工;the coin|la moneda|硬币;the ferry|el transbordador|渡船
the clerk|el escribano|书记员;the fever|la fiebre|热病;the granary|el granero|粮仓;the statue|la estatua|雕像
the widow|la viuda|寡妇;the anchor|el ancla|船锚;the valley|el valle|山谷;the tailor|el sastre|裁缝
the canal|el canal|运河;the candle|la candela|蜡烛;the mayor|el alcalde|市长;the saddle|la montura|马鞍
the library|la biblioteca|图书馆;the storm|la tormenta|风暴;the vineyard|el viñedo|葡萄园;the pilot|el piloto|飞行员
the parcel|el paquete|包裹;the quarry|la cantera|采石场;the choir|el coro|合唱团;the roof|el techo|屋顶"""
_VERBS = """repaired|reparó|修理了;forgot|olvidó|忘记了;measured|midió|测量了;painted|pintó|粉刷了
followed|siguió|跟随了
sold|vendió|卖掉了;praised|alabó|称赞了;buried|enterró|埋葬了;searched|registró|搜查了;refused|rechazó|拒绝了
rescued|rescató|救出了;copied|copió|抄写了;feared|temió|害怕了;opened|abrió|打开了;studied|estudió|研究了
crossed|cruzó|穿过了;borrowed|tomó prestado|借走了;described|describió|描述了;warmed|calentó|温暖了
hid|escondió|藏起了
guarded|vigiló|守卫了;built|construyó|建造了;burned|quemó|烧毁了;cleaned|limpió|清洁了;weighed|pesó|称量了
visited|visitó|拜访了;defended|defendió|保卫了;ignored|ignoró|忽视了;drew|dibujó|描绘了;lifted|levantó|举起了"""
_PLACES = """the northern gate|la puerta norte|北门;the old market|el viejo mercado|旧市场
the salt road|el camino de la sal|盐路
the upper village|la aldea alta|上村;the river mouth|la desembocadura|河口;the eastern hill|la colina oriental|东山
the burnt mill|el molino quemado|烧毁的磨坊;the long wharf|el muelle largo|长码头
the glass hall|la sala de cristal|玻璃大厅
the second court|el segundo patio|第二庭院;the frozen lake|el lago helado|冰湖
the stone stairs|la escalera de piedra|石阶"""
_TIMES = """in the spring|en primavera|春天;before dawn|antes del alba|黎明之前;that winter|aquel invierno|那年冬天
years later|años después|多年以后;on a Tuesday|un martes|星期二;at noon|al mediodía|中午
during the harvest|durante la cosecha|收获期间
after the flood|tras la inundación|洪水之后;one evening|una tarde|一天傍晚;without warning|sin aviso|毫无预兆"""
_MANNERS = """with great patience|con gran paciencia|非常耐心地;in complete silence|en completo silencio|一声不响地
against all advice|contra todo consejo|不听劝告地;for a small fee|por una pequeña suma|为了一点报酬
twice a week|dos veces por semana|每周两次
out of pure habit|por pura costumbre|出于习惯;to everyone's surprise|para sorpresa de todos|出人意料地
by candlelight|a la luz de una vela|在烛光下"""
_PATTERNS = (
    ("{t}, {a} {v} {b} near {p}.", "{t}, {a} {v} {b} cerca de {p}.", "{t}，{a}在{p}附近{v}{b}。"),
    ("{x} wrote that {a} {v} {b} {m}.", "{x} escribió que {a} {v} {b} {m}.", "{x}写道，{a}{m}{v}{b}。"),
    (
        "Nobody in {x} believed that {a} of {p} {v} {b}.",
        "Nadie en {x} creía que {a} de {p} {v} {b}.",
        "{x}没有人相信{p}的{a}{v}{b}。",
    ),
    (
        "After {n} days {a} and {b} still {v} {c} {m}.",
        "Tras {n} días, {a} con {b} aún {v} {c} {m}.",
        "{n}天以后，{a}和{b}仍然{m}{v}{c}。",
    ),
    (
        "When {a} {v} {b}, {x} counted {n} of them and {w} {c}.",
        "Cuando {a} {v} {b}, {x} contó {n} de ellos y {w} {c}.",
        "{a}{v}{b}的时候，{x}数了{n}个，又{w}{c}。",
    ),
    ("It was {a}, not {b}, that {v} {c} {m}.", "Fue {a}, no {b}, quien {v} {c} {m}.", "是{a}而不是{b}{m}{v}{c}。"),
    (
        "From {p} one could see how {a} {v} {b}, and how {c} {w} {d}.",
        "Desde {p} se veía cómo {a} {v} {b}, y cómo {c} {w} {d}.",
        "从{p}可以看见{a}怎样{v}{b}，{c}怎样{w}{d}。",
    ),
    (
        "{x} asked {a} for {n} coins because {b} {v} {c}.",
        "{x} pidió a {a} {n} monedas porque {b} {v} {c}.",
        "{x}向{a}要了{n}枚钱，因为{b}{v}{c}。",
    ),
)
_SYLLABLES = """ka卡 ri里 to托 mu穆 sel塞尔 an安 dor多尔 vi维 lo洛 ne内 bra布拉 tin廷 go戈 zar扎尔 fe费 hul胡尔
me梅 pas帕斯 or奥尔 qui奎 su苏 wen文 ya亚 bel贝尔"""

Words = list[tuple[str, str, str]]


def _table(text: str) -> Words:
    rows = (row.split("|") for line in text.splitlines() for row in line.split(";"))
    return [(first, second, third) for first, second, third in rows]


def _syllables() -> Words:
    pieces = _SYLLABLES.split()
    cut = [next(place for place, letter in enumerate(piece) if not letter.isascii()) for piece in pieces]
    return [(piece[:at], piece[:at], piece[at:]) for piece, at in zip(pieces, cut, strict=True)]


def story(seed: int, language: str, paragraphs: int = 9, sentences: int = 5) -> list[str]:
    """Paragraphs of a story. Another seed is another story of other things; another language the same, translated."""
    chance, tongue = random.Random(seed), LANGUAGES.index(language)
    nouns, verbs = chance.sample(_table(_NOUNS), 22), chance.sample(_table(_VERBS), 14)
    places, manners = chance.sample(_table(_PLACES), 5), chance.sample(_table(_MANNERS), 5)
    syllables = _syllables()
    names = [[chance.choice(syllables) for _ in range(chance.randint(2, 3))] for _ in range(7)]

    def sentence() -> str:
        slots: dict[str, str] = dict(zip("abcd", (word[tongue] for word in chance.sample(nouns, 4)), strict=True))
        slots |= dict(zip("vw", (word[tongue] for word in chance.sample(verbs, 2)), strict=True))
        slots["p"], slots["m"] = chance.choice(places)[tongue], chance.choice(manners)[tongue]
        slots["t"] = chance.choice(_table(_TIMES))[tongue]
        slots["x"] = "".join(syllable[tongue] for syllable in chance.choice(names)).capitalize()
        slots["n"] = str(chance.randint(3, 990))
        text = chance.choice(_PATTERNS)[tongue].format(**slots)
        return text[0].upper() + text[1:]

    glue = "" if language == "zh" else " "
    return [glue.join(sentence() for _ in range(sentences)) for _ in range(paragraphs)]


def other_words(paragraphs: Sequence[str], share: float, seed: int) -> list[str]:
    """The text with this share of its words (Chinese: of its characters) replaced by made-up ones."""
    chance = random.Random(seed)
    reworded = []
    for paragraph in paragraphs:
        units = paragraph.split(" ") if " " in paragraph else list(paragraph)
        glue = " " if " " in paragraph else ""
        fresh = _invented if glue else _rare_character
        reworded.append(glue.join(fresh(chance) if chance.random() < share else unit for unit in units))
    return reworded


def _invented(chance: random.Random) -> str:
    return "".join(chance.choice(("ba", "lu", "mor", "ti", "ske", "no", "ran")) for _ in range(3))


def _rare_character(chance: random.Random) -> str:
    return chr(chance.randint(0x4E00, 0x9000))


def scattered(paragraphs: Sequence[str], way: str, share: float, seed: int) -> list[str]:
    """The text with this share of its characters "deleted", "inserted", "shuffled" among each other, or "moved": each
    changes places with one of the fifteen beside it."""
    chance = random.Random(seed)
    edited = []
    for paragraph in paragraphs:
        signs = list(paragraph)
        if way == "deleted":
            signs = [sign for sign in signs if chance.random() >= share]
        elif way == "inserted":
            signs = [
                new for sign in signs for new in ((chance.choice(signs), sign) if chance.random() < share else sign)
            ]
        elif way == "moved":
            for place in chance.sample(range(len(signs)), int(share * len(signs))):
                other = min(max(place + chance.randint(-15, 15), 0), len(signs) - 1)
                signs[place], signs[other] = signs[other], signs[place]
        else:
            moved = sorted(chance.sample(range(len(signs)), int(share * len(signs))))
            taken = [signs[place] for place in moved]
            for start in range(0, len(taken), 4):
                part = taken[start : start + 4]
                chance.shuffle(part)
                taken[start : start + 4] = part
            for place, sign in zip(moved, taken, strict=True):
                signs[place] = sign
        edited.append("".join(signs))
    return edited
