"""Forms filled in two, three, five and twenty times, beside edited printings of the same filled form, and tables of
which the numbers alone differ."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence

from tests.quality.kinds.edits import scattered
from tests.quality.kinds.writing import Paragraphs, Writer, size
from tests.quality.making import Folder

FILLINGS = (2, 3, 5, 20)
Fills = Mapping[str, str]

_FORMS: dict[str, tuple[str, str]] = {
    "invoice": (
        "en",
        """INVOICE No. {number}. Hartwell & Daughters, Joinery, 14 Canal Row, Leeds LS2 7PF. VAT registration
318 4472 09.
Bill to: {name}, {street}, {town}. Date of issue: {date}. Your order of {day}, reference {code}.
We thank you for your order and charge for the goods and services listed below as agreed.
1. {goods}, {small} pieces at {price} pounds each. Delivery and fitting included.
2. Removal and disposal of the old parts, {small2} hours of work at 46.50 pounds an hour.
3. Oil, screws and small material according to our price list.
Net amount {sum} pounds. Value added tax at 20 per cent is added and shown on the attached sheet.
Payment is due within 30 days of the date of issue without deduction to account 60439182, sort code 20-45-11. If
payment is late we charge interest at eight points above the base rate of the Bank of England. The goods remain our
property until they are paid for in full. Complaints about visible faults must reach us in writing within ten days of
delivery; the place of performance and of jurisdiction is Leeds. Please quote the invoice number with your payment.""",
    ),
    "appointment": (
        "en",
        """Riverside Eye Clinic, Outpatient Office. Our reference: {code}. Date: {date}.
{name}, {street}, {town}.
Dear {name}, you have been referred to our clinic by your family doctor, {other}. We have reserved an appointment for
you on {day} at {hour} o'clock with {third} in room {small}. Please come to the reception on the ground floor fifteen
minutes earlier and bring this letter, a list of the medicines that you take, and your glasses or contact lenses.
During the examination you will be given drops that widen the pupils. Your sight will be blurred for up to six hours,
so you must not drive a car or ride a bicycle after the appointment. We recommend that you ask somebody to take you
home. If you cannot come, please call the office at least two working days before so that we can offer the time to
another patient. Patients who miss two appointments without notice are referred back to their doctor.
Our clinic teaches students of medicine. If you do not want students to be present, please tell the nurse; this will
not affect your treatment in any way. Yours sincerely, the Outpatient Office.""",
    ),
    "medical": (
        "es",
        """Hospital Comarcal del Valle. Servicio de Urgencias. Informe de alta número {number}.
Paciente: {name}. Fecha de nacimiento: {date}. Domicilio: {street}, {town}. Historia clínica: {code}.
Motivo de consulta: {goods} desde hace {small} días. Médico responsable: {third}.
Antecedentes: no refiere alergias a medicamentos. No fuma. No ha sido operado con anterioridad.
Exploración: tensión arterial {small2} sobre 80, temperatura {price} grados, frecuencia cardíaca {sum} por minuto.
El paciente está consciente y orientado, con buen color de piel y mucosas. La auscultación de los pulmones es normal y
el abdomen es blando y no doloroso. No se observan signos de irritación de las meninges ni pérdida de fuerza.
Se realiza un análisis de sangre con resultados dentro de los límites normales y una radiografía de tórax sin cambios.
Tratamiento: reposo relativo, abundantes líquidos y un comprimido cada ocho horas después de las comidas durante cinco
días. Debe acudir de nuevo a este servicio si aparece fiebre alta, dificultad para respirar o empeoramiento del estado
general. Control por su médico de cabecera en {day}. El informe se entrega al paciente en mano y se envía una copia a
su centro de salud. Los datos se tratan conforme a la ley de protección de datos personales.""",
    ),
    "contract": (
        "zh",
        """房屋租赁合同　编号：{number}
出租方（以下简称甲方）：{name}，证件号码：{code}。承租方（以下简称乙方）：{other}，联系电话：{sum}。
根据国家有关法律、法规的规定，甲乙双方在平等、自愿、协商一致的基础上，就房屋租赁事宜订立本合同。
第一条　甲方将位于{town}{street}{small}号的房屋出租给乙方居住使用，建筑面积{small2}平方米。
第二条　租赁期限自{date}起，共计十二个月。租赁期满，甲方有权收回房屋，乙方应当如期交还。
第三条　月租金为人民币{price}元，乙方应当于每月五日以前以转账方式支付。逾期支付的，每日按欠付金额的千分之三支付违约金。
第四条　签订本合同时，乙方向甲方支付相当于一个月租金的押金。租赁关系终止后，扣除应由乙方承担的费用，剩余部分如数退还。
第五条　租赁期间的水费、电费、燃气费、物业管理费由乙方承担，房屋本体及附属设施的维修由甲方负责，人为损坏的除外。
第六条　未经甲方书面同意，乙方不得将房屋转租、转借给第三人，不得擅自改变房屋结构和用途，不得存放危险物品。
第七条　甲方因不可抗拒的原因需要收回房屋的，应当提前三十日书面通知乙方，并退还剩余租金及全部押金。
第八条　本合同未尽事宜，由双方协商解决；协商不成的，向房屋所在地人民法院提起诉讼。本合同一式两份，双方签字后生效。
甲方签字：{name}　　乙方签字：{other}　　见证人：{third}""",
    ),
}
_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "given": "Alice Benjamin Clara Dennis Edith Frank Grace Harold Ingrid Jonas Katherine Leonard Miriam Norbert",
        "family": "Ashdown Birkett Carmody Dunstable Everard Falkner Gillard Hathersage Inskip Jellicoe Kirkbride",
        "street": "3 Mill Lane;27 Station Road;Flat 5, 118 Queen Street;The Old Forge;61 Beech Avenue;9 Harbour View",
        "town": "York YO1 8RB;Ripon HG4 2AA;Whitby YO21 3PU;Skipton BD23 1LJ;Selby YO8 4NS;Hull HU1 2AG",
        "goods": "Sash windows, oak;Interior doors with frame;Kitchen shelves, ash;A staircase rail;Shutters, painted",
    },
    "es": {
        "given": "Ana Bernardo Carmen Diego Elena Fermín Gloria Hugo Inés Joaquín Lucía Manuel Nuria Óscar Pilar",
        "family": "Arroyo Beltrán Cordero Domínguez Escudero Fajardo Galván Herrera Iriarte Jurado Lozano Montes",
        "street": "calle Mayor 12;avenida de la Estación 4;plaza del Trigo 7;calle del Pozo 31;paseo del Río 18",
        "town": "Olivares;Villanueva;San Bartolomé;Puente Viejo;Fuente del Olmo;Campillo",
        "goods": "dolor de cabeza;tos con expectoración;mareo al levantarse;dolor en la rodilla;erupción en los brazos",
    },
    "zh": {
        "given": "建国 秀英 志强 丽华 文博 雨桐 海燕 春生 明珠 子涵 晓东 玉兰 立新 家豪 思远",
        "family": "王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙",
        "street": "解放路;人民东街;学府巷;滨河大道;光明新村;长安北路",
        "town": "南昌市;洛阳市;绍兴市;遵义市;大同市;岳阳市",
        "goods": "甲;乙",
    },
}  # fmt: skip
_MONTHS = {
    "en": "January;February;March;April;May;June;July;August;September;October;November;December",
    "es": "enero;febrero;marzo;abril;mayo;junio;julio;agosto;septiembre;octubre;noviembre;diciembre",
}


def fills(language: str, seed: int) -> dict[str, str]:
    """Draw what is written into a form."""
    chance, words = random.Random(f"{language} {seed}"), _WORDS[language]

    def person() -> str:
        given, family = chance.choice(words["given"].split()), chance.choice(words["family"].split())
        return family + given if language == "zh" else f"{given} {family}"

    def date() -> str:
        day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1950, 2024)
        return (
            f"{year}年{month}月{day}日"
            if language == "zh"
            else f"{day} {_MONTHS[language].split(';')[month - 1]} {year}"
        )

    drawn = {key: chance.choice(words[key].split(";")) for key in ("street", "town", "goods")}
    numbers = {"number": (10_000, 99_999), "small": (2, 90), "small2": (90, 180), "sum": (1000, 9999), "hour": (8, 17)}
    return {
        **drawn, **{key: str(chance.randint(*span)) for key, span in numbers.items()}, "name": person(),
        "other": person(), "third": person(), "date": date(), "day": date(),
        "price": f"{chance.randint(30, 900)}.{chance.randint(10, 99)}",
        "code": f"{chance.choice('ABCDEFGH')}{chance.randint(1000, 9999)}-{chance.randint(10, 99)}",
    }  # fmt: skip


def filled(form: str, seed: int) -> Paragraphs:
    """Fill in a form."""
    language, text = _FORMS[form]
    glue = "" if language == "zh" else " "
    values = fills(language, seed)
    return [glue.join(part.split("\n")).format(**values) for part in _printed(text)]


def _printed(text: str) -> list[str]:
    """Join the lines that belong to one paragraph: those before a line that begins like a sentence or an item."""
    parts: list[str] = []
    for line in text.split("\n"):
        if parts and not parts[-1].rstrip().endswith((".", "。", "：", "}", "）")) and "：" not in line[:12]:
            parts[-1] += "\n" + line
        else:
            parts.append(line)
    return parts


def filled_forms(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Fill in four forms 2, 3, 5 and 20 times each. The first filling stands beside two edited printings of it."""
    for number, (form, times) in enumerate(itertools.product(_FORMS, FILLINGS)):
        folder = Folder()
        names = [f"{form}-{filling:02}.{'docx' if filling % 2 else 'txt'}" for filling in range(times)]
        for filling, name in enumerate(names):
            folder.add(name, filled(form, 100 * number + filling))
        if times == 2:
            folder.ignore += itertools.combinations(names, 2)
        else:
            folder.forms.append(names)
            folder.hard_negatives += [(*pair, "another filling") for pair in itertools.combinations(names, 2)]
        yield f"form-{form}-{times:02}", folder


def edited_fillings(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make versions among fillings: the same filling, while the printed text was edited between the printings, or with
    a sentence after the last field."""
    for number, form in enumerate(_FORMS):
        folder = Folder()
        names = [f"{form}-{filling}.txt" for filling in range(5)]
        for filling, name in enumerate(names):
            text = filled(form, 7000 + 100 * number + filling)
            folder.add(name, text)
            if filling < 2:
                again = f"{form}-{filling}-edited.docx"
                folder.add(again, scattered(text, "replaced", 8 / size(text), filling))
                folder.positives.append((again, name))
                folder.ignore += [(again, other) for other in names if other != name]
        folder.ignore.append((f"{form}-0-edited.docx", f"{form}-1-edited.docx"))
        signed = [*filled(form, 7002 + 100 * number), "Signed in duplicate on the above date."]
        folder.add(f"{form}-2-signed.docx", signed)
        folder.positives.append((f"{form}-2-signed.docx", names[2]))
        others = [name for name in folder.files if "-2" not in name]
        folder.hard_negatives += [(f"{form}-2-signed.docx", name, "another filling") for name in others]
        folder.forms.append(names)
        folder.hard_negatives += [(*pair, "another filling") for pair in itertools.combinations(names, 2)]
        yield f"edited-{form}", folder


_GOODS = """oak board;pine board;copper pipe;brass hinge;steel bolt;roof tile;floor tile;window putty
linseed oil;wood glue;wall paint;door handle;garden hose;paper roll;sand paper;masking tape
chalk line;plumb bob;spirit level;wire brush;paint roller;ceramic sink;shower head;drain cover
light switch;cable drum;fuse box;work lamp;dust mask;ear guard"""


def tables(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make tables of which the numbers alone differ: one price list in editions that each change a few prices
    (versions where enough is left alike), and one stock sheet a month on which all change (fillings of one form)."""
    prices, stock = Folder(), Folder()
    goods = [f"{grade} {item}" for item in _GOODS.replace("\n", ";").split(";") for grade in ("plain", "fine", "extra")]
    for shop in range(4):
        chance = random.Random(f"prices {shop}")
        offered = chance.sample(goods, 60)
        list_prices = {item: chance.randint(120, 9900) for item in offered}
        names = [f"shop{shop}-{edition}.txt" for edition in range(4)]
        for edition, name in enumerate(names):
            for item in chance.sample(offered, 6 if edition else 0):
                list_prices[item] += chance.randint(5, 90)
            rows = [f"{item}, per piece, {price / 100:.2f} euros" for item, price in list_prices.items()]
            prices.add(name, [f"Price list of shop {shop}, edition {edition + 1}", *rows])
        names = [f"sheet{shop}-{month:02}.txt" for month in range(1, 13)]
        for name in names:
            rows = [f"{item}: counted {chance.randint(2, 900)} on the shelf of the main store" for item in offered]
            stock.add(name, [f"Stock sheet of store {shop}, signed by the keeper of the store", *rows])
        stock.forms.append(names)
        stock.hard_negatives += [(*pair, "other numbers") for pair in itertools.combinations(names, 2)]
    prices.label()
    yield "tables-prices", prices
    yield "tables-stock", stock


_ANSWERS = {"en": "never rarely often always", "es": "nunca rara vez a menudo", "zh": "从不 很少 经常 总是"}
_TICKS = (("[x]", "[ ]"), ("☒", "☐"), ("(X)", "( )"))


def questionnaires(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make questionnaires answered by ticks in boxes, each by six people who give their names: fillings of one form."""
    folder = Folder()
    for number, (language, signs) in enumerate(itertools.product(_ANSWERS, _TICKS)):
        chance = random.Random(f"questions {number}")
        questions = [
            line[:60] for line in writer.text(language, 600) for line in re.split(r"(?<=[.。]) ?", line) if line
        ]
        names = [f"{language}{number}-{person}.{'docx' if person % 2 else 'txt'}" for person in range(6)]
        for person, name in enumerate(names):
            facts = fills(language, 3000 + 10 * number + person)
            answers = _ANSWERS[language].split()
            rows = [f"{question} {_ticked(answers, signs, chance)}" for question in questions[:14]]
            folder.add(name, [f"{facts['name']}, {facts['date']}", *rows])
        folder.forms.append(names)
        folder.hard_negatives += [(*pair, "another person") for pair in itertools.combinations(names, 2)]
    folder.none("other questions")
    yield "questionnaires", folder


def _ticked(answers: Sequence[str], signs: tuple[str, str], chance: random.Random) -> str:
    ticked = chance.choice(answers)
    return " ".join(f"{signs[answer != ticked]} {answer}" for answer in answers)


_REFERENCE = """{mr} {name}, born on {date} in {town}, was employed in our firm from {day} as {post}, last in {goods}.
{mr} {name} has always carried out {his} duties to our full satisfaction. {he} was punctual, honest and reliable.
With {his} friendly manner {he} was liked by colleagues, superiors and customers alike, and worked with {other}.
{mr} {name} leaves us at {his} own request. We regret this, praise {his} good work and hope that {he} is soon as
glad in {his} new post as {he} was here. Signed by {third}, {street}."""


def references(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make references for men and women by one employer each, who praises all in the same words: fillings of forms."""
    folder = Folder()
    for employer, people in enumerate((4, 6, 10)):
        printed = writer.text("en", 200)
        names = [f"{employer}-{person}.{'docx' if person % 2 else 'txt'}" for person in range(people)]
        for person, name in enumerate(names):
            words = {"mr": "Ms", "he": "she", "his": "her"} if person % 3 else {"mr": "Mr", "he": "he", "his": "his"}
            post = ("clerk", "driver", "cook", "nurse", "porter", "gardener")[person % 6]
            facts = {**fills("en", 9000 + 20 * employer + person), "post": post}
            folder.add(name, [*printed, *_REFERENCE.format(**words, **facts).split("\n")])
        folder.forms.append(names)
        folder.hard_negatives += [(*pair, "another person") for pair in itertools.combinations(names, 2)]
    folder.none("another employer")
    yield "references", folder


_PAID = ("Gross pay", "Wage tax", "Health insurance", "Pension insurance", "Hours of work", "Net pay")
_MEASURED = ("Haemoglobin", "Leucocytes", "Platelets", "Creatinine", "Glucose", "Sodium", "Potassium", "Calcium")


def numbered_forms(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make forms of which numbers fill nearly all fields: payslips of one person, and reports of a laboratory, with a
    reference beside each value. The first of each is there twice, as text and as Word file."""
    folder = Folder()
    for number, (kind, rows) in enumerate(itertools.product(("pay", "lab"), (3, 6))):
        printed, chance = writer.text("en", 100 + 30 * number), random.Random(f"numbers {number}")
        names = [f"{kind}{rows}-{row}.{'docx' if row % 2 else 'txt'}" for row in range(rows)]
        for row, name in enumerate(names):
            drawn = [f"{chance.randint(100, 4000)}.{chance.randint(10, 99)}" for _ in _MEASURED]
            if kind == "pay":
                text = [f"Payslip {row + 1}/2024", *map(" ".join, zip(_PAID, drawn, strict=False)), *printed]
            else:
                values = zip(_MEASURED, drawn, strict=True)
                head = f"{fills('en', 40 * rows + row)['name']}, sample {chance.randint(1000, 9999)}"
                text = [head, *(f"{value}: {measured} (100.5 to 300.5)" for value, measured in values), *printed]
            folder.add(name, text)
        first = f"{kind}{rows}-0-again.docx"
        folder.add(first, folder.texts[names[0]])
        folder.positives.append((first, names[0]))
        folder.forms.append(names)
        folder.hard_negatives += [(*pair, "other numbers") for pair in itertools.combinations(names, 2)]
    folder.none("another form")
    yield "numbered-forms", folder
