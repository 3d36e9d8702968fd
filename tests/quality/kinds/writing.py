"""Texts for the made kinds: English that people wrote (the documentation inside Python's own library), Spanish and
Chinese sentences put together from large vocabularies, each text on a subject of its own."""

from __future__ import annotations

import ast
import functools
import itertools
import os
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import jieba

from tests.quality.prose import story

Paragraphs = list[str]
LANGUAGES = ("en", "es", "zh")
_SKIPPED = {"test", "tests", "idle_test", "site-packages", "__pycache__", "lib2to3", "encodings"}
_LEAST_WORDS = 25  # of a paragraph; shorter ones are lists of names
_LEAST_PROSE = 0.85  # of a paragraph's words are letters alone; fewer: it is code
_STORY_WORDS = 60  # of a paragraph of five sentences, at most
_EDGE_SIGNS = ".,;:()'\"`*"

_ES_NOUNS = """el acuerdo;el agua;la aldea;el almacén;el alumno;el ancla;el año;el archivo;el arquitecto;el arroyo
el artículo;el barco;el barrio;la bodega;el bosque;la botella;el caballo;la cámara;el camino
la campaña;el campo;la cantidad;la carretera;la carta;la casa;el castillo;la ciudad;el clima
la cocina;el comercio;la comisión;el concejo;la conclusión;el consumo;el contrato;la corriente
la cosecha;la costa;la costumbre;la crisis;el cuaderno;la cuenta;la cultura;el debate;la decisión
el derecho;el desierto;la deuda;el diario;el dinero;la doctora;el edificio;el ejército;la empresa
la encuesta;la energía;la escuela;el espejo;la estación;el estudio;la fábrica;la familia;la feria
la fiebre;la finca;la frontera;la fuente;el ganado;el gasto;el gobierno;la guerra;el habitante
la harina;la herencia;el hierro;la historia;el hospital;la huelga;el idioma;la iglesia;el impuesto
el incendio;el informe;el ingeniero;la isla;el jardín;el juez;la junta;el ladrillo;la lana;el lector
la ley;el libro;la lluvia;la luz;la madera;el maestro;el mapa;la máquina;el médico;el mercado
el método;la mina;el molino;la montaña;el museo;la música;la noticia;la novela;la nube;la obra
el oficio;la orilla;la palabra;el papel;el parque;la patria;el pescador;la piedra;el plan;la plaza
la población;el precio;la prensa;el proyecto;el pueblo;el puente;el puerto;la reforma;el registro
la reunión;el río;la ruta;el salario;la salud;la semilla;el siglo;el silencio;la sociedad;el sueño
el taller;la tarde;el teatro;el techo;la tela;la teoría;la tierra;la torre;el tráfico;el trigo
el vecino;el verano;el viajero;la vida;el viento;la viña;la voz;el zapato"""
_ES_VERBS = """abandonó aceptó acompañó administró alcanzó amplió anunció aplazó aprobó arregló atravesó aumentó
ayudó buscó calculó cambió cerró comparó completó compró conservó consultó construyó convenció copió
corrigió criticó cruzó cubrió cuidó defendió dejó demostró descubrió describió destruyó detuvo
dibujó dirigió discutió dividió encontró entregó envió escondió escuchó esperó estudió evitó examinó
explicó exportó financió firmó ganó gobernó guardó heredó imaginó impidió inauguró investigó levantó
limpió llenó mandó midió modificó mostró necesitó observó ocupó olvidó ordenó organizó pagó perdió
pintó plantó preparó presentó prohibió prometió propuso protegió publicó quemó recibió reclamó
recogió reconoció recordó redujo rechazó renovó reparó repartió retrató revisó robó salvó separó
siguió solicitó suspendió tradujo transformó transportó unió vendió vigiló visitó"""
_ES_ADJECTIVES = """alegre ambiental amable anual breve caliente central civil común constante cruel débil dulce
elegante enorme especial estable fácil familiar feliz fértil final firme frecuente fuerte general
grande hábil horizontal humilde igual importante imposible infantil inútil joven laboral leve libre
local mayor mental militar moral municipal nacional naval noble notable original pobre posible
principal probable profesional provincial real regional rural semanal simple social suave temporal
total triste urgente útil vegetal verde vital vulgar"""
_ES_TIMES = """al amanecer;al cabo de un mes;a mediados de marzo;a principios de siglo;aquella noche;cada otoño
de pronto;desde entonces;después de la cena;durante la sequía;el lunes siguiente;en abril
en la primera visita;en los años malos;hacia el mediodía;hasta hace poco;más tarde;mientras tanto
por fin;por la mañana;sin aviso;tras la votación;una vez más"""
_ES_PATTERNS = (
    "{t} {a} {v} {b} {j} sin consultar con {c}.",
    "{a} {j} {v} {b} porque {c} no {w} nada.",
    "Según {a}, {b} {v} {c} {j} y luego {w} {d}.",
    "Nadie sabía por qué {a} {v} {b}, ni cuándo {c} {w} {d} {j}.",
    "{t}, cuando {a} {v} {b}, también {c} {w} lo que quedaba.",
    "No fue {a} sino {b} {j} quien {v} {c} {t}.",
    "Entre {a} y {b} había {n} metros, que {c} {v} en {m} días.",
    "{a} {v} {b}; {c}, en cambio, {w} {d} {j}.",
    "Para que {a} fuera {j}, {b} {v} {c} y {d}.",
    "{t} se dijo que {a} {v} {b} con ayuda de {c}, aunque {d} lo negó.",
)
_ZH_PATTERNS = (
    "{t}{a}对{b}进行了{v}，因此{c}的{d}比较{j}。",
    "{a}和{b}都认为，{c}应当{e}{v}{d}。",
    "虽然{a}很{j}，但是{b}仍然{e}{v}{c}。",
    "在{p}，{a}的{b}由{c}负责{v}，{d}不再{w}。",
    "{a}不但{v}{b}，而且{w}{c}，这使{d}更加{j}。",
    "为了{v}{a}，{b}{e}{w}了{n}个{c}。",
    "如果{a}没有{v}{b}，{c}就会{w}{d}。",
    "据{p}的{a}介绍，{b}已经{v}{c}，{d}正在{w}之中。",
    "{a}是{b}的{j}{c}，与{d}有关。",
    "{n}年以后，{p}的{a}终于{v}了{b}，{c}也随之{w}。",
)


def english() -> Iterator[str]:
    """Yield paragraphs of prose from the docstrings of Python's library and its language reference, each once."""
    root = Path(os.__file__).parent
    topics = root / "pydoc_data" / "topics.py"
    paths = (path for path in sorted(root.rglob("*.py")) if not _SKIPPED & set(path.relative_to(root).parts))
    seen: set[str] = set()
    for path in paths:
        tree = ast.parse(path.read_bytes())
        texts = _strings(tree) if path == topics else _docstrings(tree)
        for paragraph in itertools.chain.from_iterable(re.split(r"\n\s*\n", text) for text in texts):
            line = " ".join(paragraph.split())
            if line not in seen and _is_prose(line):
                seen.add(line)
                yield line


def _docstrings(tree: ast.Module) -> list[str]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, holders)]


def _strings(tree: ast.Module) -> list[str]:
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _is_prose(line: str) -> bool:
    words = line.split(" ")
    letters = sum(word.strip(_EDGE_SIGNS).isalpha() for word in words)
    return len(words) >= _LEAST_WORDS and letters >= _LEAST_PROSE * len(words) and ">>>" not in line


@functools.cache
def _chinese_words() -> dict[str, tuple[list[str], list[float]]]:
    """Part of speech -> words of two characters and their weights, from jieba's dictionary."""
    tables: dict[str, tuple[list[str], list[float]]] = {}
    for line in (Path(jieba.__file__).parent / "dict.txt").read_text(encoding="utf-8").splitlines():
        word, frequency, kind = line.split()
        if len(word) == 2 and int(frequency) >= 300:
            words, weights = tables.setdefault(kind, ([], []))
            words.append(word)
            weights.append(int(frequency) ** 0.5)
    return tables


def _several(chance: random.Random, words: Sequence[str], count: int) -> list[str]:
    """Draw `count` words; the earlier ones of a subject's vocabulary come up more often (Zipf)."""
    return chance.choices(words, [1 / (place + 10) for place in range(len(words))], k=count)


def _subject(chance: random.Random, kind: str, size: int) -> list[str]:
    words, weights = _chinese_words()[kind]
    drawn = list(dict.fromkeys(chance.choices(words, weights, k=2 * size)))
    return drawn[:size]


def spanish(seed: int, paragraphs: int, sentences: int = 5, subject: int | None = None) -> Paragraphs:
    """Write Spanish on the subject with this number (the seed's own if none): its 70 nouns, 45 verbs, 25 adjectives."""
    about, chance = random.Random(f"es {seed if subject is None else subject}"), random.Random(f"es text {seed}")
    nouns = about.sample(re.split(r"[;\n]", _ES_NOUNS), 70)
    verbs, adjectives = about.sample(_ES_VERBS.split(), 45), about.sample(_ES_ADJECTIVES.split(), 25)
    times = re.split(r"[;\n]", _ES_TIMES)

    def sentence() -> str:
        slots: dict[str, object] = dict(zip("abcd", _several(chance, nouns, 4), strict=True))
        slots |= dict(zip("vw", _several(chance, verbs, 2), strict=True))
        slots |= {"j": _several(chance, adjectives, 1)[0], "t": chance.choice(times)}
        slots |= {"n": chance.randint(3, 990), "m": chance.randint(2, 60)}
        text = chance.choice(_ES_PATTERNS).format(**slots)
        return text[0].upper() + text[1:]

    return [" ".join(sentence() for _ in range(sentences)) for _ in range(paragraphs)]


def chinese(seed: int, paragraphs: int, sentences: int = 5, subject: int | None = None) -> Paragraphs:
    """Write Chinese on the subject with this number: its 70 nouns, 45 verbs, 20 adjectives, 8 adverbs, 10 places."""
    about, chance = random.Random(f"zh {seed if subject is None else subject}"), random.Random(f"zh text {seed}")
    sizes = {"n": 70, "v": 45, "a": 20, "d": 8, "ns": 10, "t": 8}
    words = {kind: _subject(about, kind, size) for kind, size in sizes.items()}

    def sentence() -> str:
        slots: dict[str, object] = dict(zip("abcd", _several(chance, words["n"], 4), strict=True))
        slots |= dict(zip("vw", _several(chance, words["v"], 2), strict=True))
        slots |= {key: _several(chance, words[kind], 1)[0] for key, kind in (("j", "a"), ("e", "d"), ("p", "ns"))}
        slots |= {"t": chance.choice(words["t"]), "n": chance.randint(3, 990)}
        return chance.choice(_ZH_PATTERNS).format(**slots)

    return ["".join(sentence() for _ in range(sentences)) for _ in range(paragraphs)]


class Writer:
    """Hands out texts that share nothing with one another: each English paragraph once, each other seed once.

    real: English is what people wrote, which differs from one version of Python to the next, and made when that is
    used up; else it is made from the start.
    """

    def __init__(self, real: bool = True) -> None:
        self._real_english = real
        self._seeds = itertools.count(1)
        made = itertools.chain.from_iterable(story(seed, "en", 1) for seed in self._seeds)
        self._english = itertools.chain(english(), made)

    def text(self, language: str, words: int) -> Paragraphs:
        """Return a new text of at least so many words (Chinese: characters)."""
        if language == "en" and self._real_english:
            return self._real(words)
        seed = next(self._seeds)
        if language == "en":
            return story(seed, "en", words // _STORY_WORDS + 1)
        write = spanish if language == "es" else chinese
        paragraphs: Paragraphs = []
        while size(paragraphs) < words:
            paragraphs += write(1000 * seed + len(paragraphs), 1, subject=seed)
        return paragraphs

    def _real(self, words: int) -> Paragraphs:
        paragraphs: Paragraphs = []
        while size(paragraphs) < words:
            paragraphs.append(next(self._english))
        return paragraphs


def units(paragraph: str) -> list[str]:
    """The words of a paragraph, or its characters where it is Chinese."""
    return paragraph.split(" ") if " " in paragraph else list(paragraph)


def joined(parts: Sequence[str], like: str) -> str:
    """Put units together as the paragraph `like` is written."""
    return (" " if " " in like else "").join(parts)


def size(paragraphs: Sequence[str]) -> int:
    """Count the words, or Chinese characters."""
    return sum(len(units(paragraph)) for paragraph in paragraphs)
