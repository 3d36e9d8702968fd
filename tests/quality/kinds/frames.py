"""Kinds in which a frame is longer than what it holds: mails under one disclaimer, letters under one letterhead,
licences of much the same clauses."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from tests.quality.answers import QUESTIONS, answer
from tests.quality.kinds.forms import fills
from tests.quality.kinds.writing import LANGUAGES, Paragraphs, Writer, chinese, spanish
from tests.quality.making import Folder
from tests.quality.prose import story

_DISCLAIMERS = {
    "en": """This message and any files sent with it are confidential and meant only for the person or company to whom
they are addressed. If you have received this message in error, please tell the sender at once by returning
it, delete it from your system and do not copy, forward or use any part of it. Opinions in this message are
those of its author and not necessarily those of the Brackwater Group or of any of its companies. No
contract may be concluded on behalf of the Brackwater Group by electronic mail unless this is confirmed in
writing by two directors. Although this message has been examined for viruses before it was sent, the
recipient should examine it again; the Brackwater Group accepts no liability for damage caused by any virus
passed on by this message, nor for delays, changes or losses on its way. Messages to and from the Brackwater
Group may be recorded and read in order to keep our business safe and to meet the duties that the law lays
upon us. Brackwater Group plc is registered in England under number 04417762; its registered office is at 8
Weavers Square, London. Please think of the trees before you print this message.""",
    "es": """Este mensaje y los archivos que lo acompañan son confidenciales y se dirigen exclusivamente a la persona o
empresa indicada. Si usted lo ha recibido por error, le rogamos que avise de inmediato al remitente, lo
borre de su equipo y no copie, reenvíe ni utilice ninguna parte de su contenido. Las opiniones que contiene
son del autor y no necesariamente del Grupo Aguasclaras ni de ninguna de sus sociedades. Ningún contrato
puede celebrarse en nombre del Grupo Aguasclaras por correo electrónico sin la confirmación escrita de dos
consejeros. Aunque el mensaje se ha examinado en busca de virus antes de su envío, el destinatario debe
examinarlo de nuevo; el grupo no responde de los daños que cause un virus transmitido por este mensaje ni de
los retrasos, cambios o pérdidas en el camino. Los mensajes que se reciben o envían pueden guardarse y
leerse para proteger nuestra actividad y cumplir la ley. Sus datos se tratan conforme al reglamento europeo
de protección de datos. Antes de imprimir este mensaje, piense en los árboles.""",
    "zh": """本邮件及其附件属于保密信息，仅供指定的收件人或者收件单位使用。如果您误收了本邮件，请立即回复通知发件
人，并从您的系统中将其删除，不得复制、转发或者以任何方式使用其中的任何内容。本邮件中的意见仅代表作者
本人，并不一定代表清源集团或者其任何下属公司的立场。未经两名董事书面确认，任何人不得通过电子邮件以清
源集团的名义订立合同。本邮件在发送之前已经过病毒检查，但收件人仍应当自行检查；对于因本邮件传播病毒所
造成的损失，以及传输过程中的延误、改动或者丢失，清源集团不承担任何责任。为了保障业务安全并履行法律义
务，清源集团可以保存并查阅往来邮件。打印本邮件之前，请考虑保护环境。""",
}
_LETTERHEADS = {
    "en": """Wexford County Council, Department of Roads and Bridges. Civic Offices, Carricklawn, Wexford. Office hours
Monday to Friday from nine until half past four, closed from one to two. Telephone 053 919 6000, switchboard
at all hours for accidents and floods. Please quote our reference in every reply and send one letter for
each matter. The council answers in English or in Irish as you wish. Payments only to the account of the
county treasurer. Director of services: the county engineer. This office is reached by the buses of lines
two and five, stop Civic Offices.""",
    "es": """Excelentísimo Ayuntamiento de Torreblanca. Concejalía de Urbanismo y Obras. Plaza de la Constitución número
uno, planta segunda. Horario de atención al público de lunes a viernes de nueve a catorce horas, jueves
también de diecisiete a diecinueve. Centralita general y avisos urgentes a cualquier hora. Indique nuestra
referencia en todas sus respuestas y trate un solo asunto en cada escrito. Los pagos se hacen únicamente en
la cuenta de la tesorería. Se llega con los autobuses de las líneas dos y cinco, parada Ayuntamiento. Los
datos se tratan conforme a la ley.""",
    "zh": """青石县人民政府道路桥梁管理局。办公地址：青石县中心大街一号行政大楼二层。对外办公时间：星期一至星期五
上午九时至十二时，下午一时三十分至四时三十分，法定节假日除外。事故和水灾报警电话全天有人值守。来信请
注明本局文号，一函只谈一件事。各项费用只能缴入县财政局指定账户。乘二路、五路公共汽车到行政大楼站下车
即到。""",
}
_BETWEEN = {"en": " ", "es": " ", "zh": ""}


def _frame(texts: dict[str, str], language: str) -> str:
    return _BETWEEN[language].join(texts[language].split("\n"))


def _body(language: str, seed: int, paragraphs: int, sentences: int) -> Paragraphs:
    """Write a short body on a new subject."""
    if language == "en":
        return story(40_000 + seed, "en", paragraphs, sentences)
    return (spanish if language == "es" else chinese)(40_000 + seed, paragraphs, sentences)


def mails(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make mails of 15 to 90 words under one disclaimer of 150 words or more: different mails are no duplicates; a
    mail sent again with one sentence added is a version."""
    for language in LANGUAGES:
        folder, disclaimer = Folder(), _frame(_DISCLAIMERS, language)
        names = [f"{number:02}.txt" for number in range(14)]
        for number, name in enumerate(names):
            body = _body(language, 100 + number, 1, 1 + number // 2)
            folder.add(name, [*body, disclaimer])
            if number % 4 == 3:
                again = [*body, *_body(language, 300 + number, 1, 1), disclaimer]
                folder.add(f"{number:02}-again.txt", again)
                folder.positives.append((f"{number:02}-again.txt", name))
        folder.none("another mail")
        yield f"mails-disclaimer-{language}", folder


def quoted_mails(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make answers that quote the mails they answer: what was quoted is a part of the answer."""
    folder = Folder()
    for language, thread in itertools.product(LANGUAGES, range(4)):
        earlier: list[tuple[str, Paragraphs]] = []
        quoted: Paragraphs = []
        for step in range(4):
            name = f"{language}{thread}-{step}.txt"
            text = [*_body(language, 500 + 10 * thread + step, 2, 3), *(f"> {line}" for line in quoted)]
            folder.add(name, text)
            folder.contains += [(name, part, 1.0) for part, _ in earlier]
            earlier.append((name, text))
            quoted = text
    folder.label()
    yield "mails-quoted", folder


def letterheads(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make letters of 20 to 120 words on different matters under one letterhead of about 80 words."""
    for language in LANGUAGES:
        folder, head = Folder(), _frame(_LETTERHEADS, language)
        for number in range(12):
            person = fills(language, 9000 + number)
            address = f"{person['name']}, {person['street']}, {person['town']}. {person['date']}."
            body = _body(language, 700 + number, 1 + number % 3, 1 + number % 4)
            folder.add(f"{number:02}.{'docx' if number % 2 else 'txt'}", [head, address, *body])
        folder.none("another letter")
        yield f"letterhead-{language}", folder


_CLAUSES = (
    ("Permission is granted to use the work for {a} purposes, {b}.",
     (("any", "private", "scientific"), ("free of charge", "against a yearly fee", "for a period of ninety days"))),
    ("The recipient may {a} the work and may {b} it to others.",
     (("change", "not change", "translate"), ("pass", "not pass", "lend"))),
    ("Every copy must {a} and must name {b}.",
     (("carry this licence in full", "refer to this licence", "be marked as changed"),
      ("all authors", "the publisher alone", "the year of publication"))),
    ("Works that are made from this work {a}, unless {b}.",
     (("fall under the same licence", "may carry any licence", "belong to the licensor"),
      ("the parts can be told apart", "the licensor agrees in writing", "they are never published"))),
    ("The licence to the patents of the contributors is {a} and ends {b}.",
     (("granted with this licence", "not granted", "granted to members alone"),
      ("when the recipient sues a contributor", "after twenty years", "with the membership"))),
    ("The recipient pays {a} and keeps books that {b}.",
     (("nothing", "two per cent of the income", "a fixed sum each quarter"),
      ("nobody inspects", "the licensor may inspect once a year", "an accountant certifies"))),
    ("This licence ends {a}; copies made before then {b}.",
     (("when its terms are broken", "after one year", "at the will of either party"),
      ("remain licensed", "must be destroyed", "must be returned"))),
    ("Disputes are decided by the courts of {a} under the law of {b}.",
     (("Dublin", "Vienna", "the defendant's seat"), ("Ireland", "Austria", "the licensor's country"))),
)  # fmt: skip
_BOILERPLATE = """The work is provided as it is, without warranty of any kind, express or implied, including but not
limited to the warranties of merchantability, fitness for a particular purpose and non-infringement.
In no event shall the authors or holders of the rights be liable for any claim, damages or other
liability, whether in an action of contract, tort or otherwise, arising from, out of or in
connection with the work or the use of it or other dealings in the work. If any provision of this
licence is held to be void or without force, the other provisions shall remain in effect, and the
void provision shall be replaced by a valid one that comes nearest to what the parties intended when
they agreed to it."""


def licences(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make licences with one long disclaimer of warranty whose terms differ; each has a second printing with another
    holder and year, which is a version of it."""
    folder, notice = Folder(), " ".join(_BOILERPLATE.split("\n"))
    for number in range(12):
        chance = random.Random(f"licence {number}")
        terms = [
            pattern.format(a=chance.choice(first), b=chance.choice(second)) for pattern, (first, second) in _CLAUSES
        ]
        for printing in range(2):
            facts = fills("en", 5000 + 2 * number + printing)
            holder = f"Copyright {2001 + number + printing} {facts['name']}. All rights not granted are reserved."
            folder.add(f"licence{number:02}-{printing}.txt", [holder, *terms, notice])
        folder.positives.append((f"licence{number:02}-0.txt", f"licence{number:02}-1.txt"))
    folder.none("other terms")
    yield "licences", folder


def one_subject(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make different texts on one subject, in the words of that subject, and translations."""
    for language in ("es", "zh"):
        folder = Folder()
        write = spanish if language == "es" else chinese
        for subject, number in itertools.product(range(3), range(8)):
            folder.add(
                f"{subject}-{number}.txt", write(60_000 + 10 * subject + number, 6 + 4 * number, subject=subject)
            )
        folder.none("another text on one subject")
        yield f"one-subject-{language}", folder
    answers, translations = Folder(), Folder()
    for question, number in itertools.product(QUESTIONS, range(12)):
        answers.add(f"{question}{number:02}.txt", answer(question, 800 + number))
    answers.none("another answer")
    yield "one-subject-answers", answers
    for number, language in itertools.product(range(10), LANGUAGES):
        translations.add(f"{number}-{language}.docx", story(61_000 + number, language, 2 + 2 * number))
    translations.none("a translation")
    yield "translated", translations
