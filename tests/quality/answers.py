"""Short answers to one question, as a class writes them: all say much the same, each in its own order and words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_CHOICE = re.compile(r"\[([^\[\]]*)\]")

# For each question what can be said about it; for each point the ways to say it; "[a|b]" is one of a and b.
_SEASONS = (
    (
        "The seasons [happen|occur|change] since the axis of the Earth is tilted by [about|roughly|some] 23.5 degrees.",
        "Our planet does not stand upright on its orbit: its axis leans [by 23 and a half degrees|to one side].",
        "It is the tilt of the Earth's axis that [gives us|causes|is behind] the seasons.",
        "The [main|real] reason is that the Earth spins around an axis that is [not straight|slanted|inclined].",
    ),
    (
        "When the northern half leans towards the Sun it is summer there and winter in the south.",
        "In June the north [points|is turned] to the Sun, so Europe has summer while Australia has winter.",
        "So one hemisphere [gets|receives] more [light|sunlight] and has summer, and the other one has winter.",
        "That is why [it is winter in Argentina|people in Chile wear coats] when we have our summer holidays.",
    ),
    (
        "In summer the [days are longer|Sun stays up longer], which gives the ground more time to warm up.",
        "Longer days in summer mean that more heat [arrives|is collected] than is lost at night.",
        "Also the [length of the day|number of hours of daylight] changes, and short days keep the land cold.",
        "In winter the Sun sets early, there is [little time|not enough time] to heat anything.",
    ),
    (
        "The [sunbeams|rays] come in more steeply in summer, so their energy falls on a smaller area.",
        "When the Sun stands low its light is spread over [a larger surface|more ground] and warms it less.",
        "The angle matters too: straight rays [heat|warm] strongly and slanting rays [weakly|only a little].",
        "A torch held straight makes a small bright spot, held sideways a big dim one, and [so does|like] the Sun.",
    ),
    (
        "Many people [think|believe] that it is the distance to the Sun, but that is [wrong|not true|a mistake].",
        "It has nothing to do with how far away we are, because the Earth is [closest|nearest] to the Sun in January.",
        "The distance to the Sun hardly changes [during the year|from month to month] and cannot explain the seasons.",
        "If distance were the reason, [both halves would have summer|the whole world would have winter] at once.",
    ),
    (
        "The axis keeps pointing in the same direction [while the Earth travels around the Sun|all year].",
        "During the year the axis does not [turn|swing] round, it always points to the Pole Star.",
        "As the Earth goes round the Sun once a year, first one pole and then the other [faces|leans to] it.",
        "After half a year the Earth is on the other side of the Sun, and the [roles are|situation is] reversed.",
    ),
    (
        "At the equator there are [hardly any|no real] seasons since the Sun is always high there.",
        "Near the equator the days are [always|about] twelve hours long, so it [stays|is] warm the whole year.",
        "Countries close to the equator only [know|have] rainy and dry [seasons|months].",
        "The further you go from the equator, the [bigger|stronger] is the difference between summer and winter.",
    ),
    (
        "In spring and autumn neither half is [favoured|tilted to it], and day and night are [equal|equally long].",
        "On about 21 March and 23 September day and night have one length, [these are called|the] equinoxes.",
        "Between the two, at the equinoxes, [both halves get the same light|the Sun is right above the equator].",
        "Spring and autumn are the [times in between|transitions], when the tilt points [sideways|neither way].",
    ),
)
_PRICES = (
    (
        "Inflation [means|is] that the [general|average] level of prices rises and money buys less.",
        "We speak of inflation when [most|nearly all] prices go up over a longer time, not just one or two.",
        "If the same basket of goods costs more [than last year|every year], that is called inflation.",
        "With inflation [a coin|every note] loses part of its purchasing power.",
    ),
    (
        "One cause is that people want to buy more than [firms can produce|there is to buy].",
        "When demand grows faster than supply, sellers can ask for [higher prices|more].",
        "Too much [demand|spending] chasing too few goods [pulls|drives] prices upwards.",
        "If everyone has a job and spends a lot, shops [run short|sell out] and raise their prices.",
    ),
    (
        "Another cause are rising costs, for example of [oil|energy|raw materials] or wages.",
        "Companies that pay more for [fuel and metal|their workers] pass this on to [customers|the buyers].",
        "A bad harvest or a [war|blockade] can make imports dear, and this spreads to other prices.",
        "When [gas|electricity] becomes expensive nearly all that is made with it becomes expensive [too|as well].",
    ),
    (
        "A government that prints money to pay its debts [makes money worth less|causes inflation].",
        "If the quantity of money grows [faster|more quickly] than the economy, each unit is worth less.",
        "[In Germany in 1923|In some countries] so much money was printed that prices doubled within days.",
        "The central bank can also cause it by keeping interest rates too low for [too long|years].",
    ),
    (
        "What people expect matters: who expects [higher prices|inflation] asks for a higher wage.",
        "Workers [ask for|demand] more pay because prices rise, and firms raise prices because pay rises.",
        "This can become a spiral in which wages and prices [push each other up|climb together].",
        "Once everybody believes in rising prices they buy [early|at once], and that makes it come true.",
    ),
    (
        "Savers lose, because the money in their account [buys less|shrinks in value] every year.",
        "It hurts people with fixed incomes such as [pensioners|students] most of all.",
        "Those who owe money [gain|profit], since they pay back with money that is worth less.",
        "Contracts and [plans|calculations] become uncertain, and so firms invest less.",
    ),
    (
        "Central banks fight it by raising interest rates so that [borrowing is dearer|people borrow less].",
        "With higher interest people save more and [spend|borrow] less, which cools prices down.",
        "Most central banks aim at about two percent [a year|of inflation], which is seen as harmless.",
        "The state can also [raise taxes|spend less] in order to lower demand.",
    ),
    (
        "It is measured with a price index, that is a basket of [goods and services|typical purchases].",
        "Statisticians compare what a [typical|normal] household pays each month.",
        "The rate tells by how many percent the [basket|index] has become dearer in a year.",
        "Not all prices rise alike: [computers get cheaper|rents often rise faster], the index shows only the mean.",
    ),
)
_LEAVES = (
    (
        "光合作用是[绿色植物|植物]利用光能[把|将]二氧化碳和水变成有机物并放出氧气的过程。",
        "植物的叶子吸收阳光，用它来制造[养分|自己的食物]，这就是光合作用。",
        "所谓光合作用，是指[光能|太阳能]被转化为化学能[储存|保存]在糖里。",
        "在[有光的条件下|阳光下]，植物能把无机物合成[有机物|淀粉和糖]，同时产生氧气。",
    ),
    (
        "它主要[发生在|在]叶绿体[中|里]，里面的叶绿素[负责|能]吸收光。",
        "叶绿素[主要|]吸收红光和蓝光，反射绿光，所以[叶子|叶片]看起来是绿的。",
        "没有叶绿体的细胞，例如根的细胞，不能[进行|完成]这个过程。",
        "叶绿体好像一个[小工厂|小小的工厂]，阳光就是它的[动力|能源]。",
    ),
    (
        "过程[分为|可以分成]光反应和暗反应两个阶段。",
        "第一步[需要光|是光反应]，水被分解，[放出|产生]氧气和能量。",
        "第二步不[直接|]需要光，二氧化碳在这里被固定成糖。",
        "光反应提供的能量[用于|被用在]后面的碳反应，最后[得到|生成]葡萄糖。",
    ),
    (
        "水由根[吸收|从土壤里吸上来]，二氧化碳从[气孔|叶面的小孔]进入。",
        "原料有两种：[空气中的|]二氧化碳和[土壤里的|]水。",
        "如果土壤太干，气孔会关上，[光合作用就变慢|原料也就不够了]。",
        "叶片背面的气孔[打开|张开]时，气体可以进出。",
    ),
    (
        "没有光合作用，空气里的氧气会[越来越少|慢慢用完]，动物和人都[无法|不能]呼吸。",
        "我们呼吸的氧气[几乎|差不多]都来自[植物和藻类|光合作用]。",
        "它[维持|保持]了大气中氧气和二氧化碳的平衡。",
        "森林[被称为|就像]地球的肺，原因就在这里。",
    ),
    (
        "它也是食物的来源，[动物直接或间接|几乎所有的动物都]靠植物生活。",
        "人吃的粮食、蔬菜和[水果|肉类]，归根到底都来自光合作用。",
        "食物链的[第一环|起点]总是能进行光合作用的生物。",
        "煤和石油[也是|其实是]古代植物留下来的[太阳能|能量]。",
    ),
    (
        "光越强，[速度|反应]越快，但到了一定程度就不再[增加|加快]。",
        "温度太高或太低都[不利|会让它变慢]，因为酶的活性受影响。",
        "二氧化碳的浓度[也|同样]会影响它的[速率|快慢]，温室里常常补充这种气体。",
        "晚上没有光，植物只[呼吸|进行呼吸作用]，不再放出氧气。",
    ),
)
QUESTIONS = {"seasons": _SEASONS, "prices": _PRICES, "leaves": _LEAVES}


def answer(question: str, seed: int) -> list[str]:
    """One paragraph: most of the points, in an order of its own, each said in one of its ways."""
    chance = random.Random(f"{question} {seed}")
    points = QUESTIONS[question]
    chosen = chance.sample(points, chance.randint(len(points) - 3, len(points)))
    said = [_CHOICE.sub(lambda choice: chance.choice(choice[1].split("|")), chance.choice(point)) for point in chosen]
    return [("" if question == "leaves" else " ").join(said)]


def lightly_edited(paragraphs: Sequence[str], words: int, seed: int) -> list[str]:
    """The text with so many of its words (Chinese: characters) left out, doubled, or put in another's place."""
    chance = random.Random(seed)
    [text] = paragraphs
    glue = " " if " " in text else ""
    units = text.split(" ") if glue else list(text)
    for place in sorted(chance.sample(range(len(units)), words), reverse=True):
        units[place : place + 1] = chance.choice(([], [units[place]] * 2, [chance.choice(units)]))
    return [glue.join(units)]
