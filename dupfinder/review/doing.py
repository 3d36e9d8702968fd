"""Carry out changes of a review: at once, or beside the window, one after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from dupfinder.base.errors import DupfinderError, PlanError
from dupfinder.review.acts import Changed

_Result = TypeVar("_Result")
Carrier = Callable[[Callable[[], Any], Callable[[Any], object], Callable[[PlanError], object] | None], None]
"""Carries out an act, then calls its second argument with the result, or its third with a PlanError."""


class Doing:
    """Carries out the acts of one review.

    carrier: carries out acts beside the window, by `beside`; None: they are carried out at once. prepare: computes what
    is shown after an act. show: shows it and informs the listeners of the change.
    """

    def __init__(self, prepare: Callable[[], object], show: Callable[[Changed], None]) -> None:
        self.carrier: Carrier | None = None
        self._prepare, self._show = prepare, show
        self._thread: int | None = None  # the thread that carries out an act beside the window
        self._held: list[Changed] = []  # of this act, until they are shown

    def do(
        self,
        act: Callable[[], _Result],
        done: Callable[[_Result], object] = lambda _: None,
        refused: Callable[[PlanError], object] | None = None,
    ) -> None:
        """Carry out an act: at once, or by the carrier after all earlier ones.

        done: receives its result once the change was shown. refused: receives a PlanError, which is raised otherwise.
        """
        if self.carrier is not None and threading.get_ident() != self._thread:
            self.carrier(act, done, refused)
            return
        try:
            result = act()
        except PlanError as error:
            if refused is None:
                raise
            refused(error)
        else:
            done(result)

    def beside(self, act: Callable[[], _Result]) -> Callable[[], _Result]:
        """Carry out an act in this thread, and prepare what is then shown.

        The returned function is called in the window's thread: it shows the change and returns the result of the act,
        or raises its error.
        """
        self._held, self._thread = [], threading.get_ident()
        failure: DupfinderError | None = None
        try:
            result = act()
        except DupfinderError as error:
            failure = error
        finally:
            held, self._thread = self._held, None
        if held:
            self._prepare()

        def show() -> _Result:
            if held:
                documents = tuple(row for change in held for row in change.documents)
                self._show(Changed(documents, any(change.clusters for change in held)))
            if failure is not None:
                raise failure
            return result

        return show

    def holds(self, change: Changed) -> bool:
        """Keep a change until it is shown, if an act beside the window made it; else return False."""
        if threading.get_ident() == self._thread:
            self._held.append(change)
            return True
        return False
