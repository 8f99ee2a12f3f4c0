"""Running text of a message: a document whose links are opened by a click or by keys, never by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from ankita_desktop.ui.blocks_document import Document
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.markdown import Block, openable


class Prose(Document):
    """Text with links. Tab goes from one to the next, Enter opens it."""

    linkActivated = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None, *, dim: bool = False) -> None:
        super().__init__(selection, parent, dim=dim)
        self._link = -1
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)

    def extend(self, final: Sequence[Block], tail: Sequence[Block] = ()) -> None:
        super().extend(final, tail)
        if any(_targets(block) for block in final):
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def link_at(self, point: QPoint) -> str:
        return self._document.documentLayout().anchorAt(QPointF(point))

    def activate(self, href: str) -> None:
        """Open the link, if it is of a kind a click may open."""
        if openable(href):
            self.linkActivated.emit(href)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        link = self.link_at(event.position().toPoint())
        self.setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.IBeamCursor)
        super().mouseMoveEvent(event)

    def clicked_at(self, point: QPoint) -> None:
        link = self.link_at(point)
        if link:
            self.activate(link)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.link_at(event.pos()), self)
            return True
        return super().event(event)

    def links(self) -> list[str]:
        """The addresses a key or a click can open, in reading order."""
        return [target for block in self.blocks() for target in _targets(block)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        links = self.links()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._link < len(links):
            self.activate(links[self._link])
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from link to link before it leaves the text."""
        links = self.links()
        step = self._link + (1 if forward else -1)
        if self.hasFocus() and 0 <= step < len(links):
            self._link = step
            self.setAccessibleDescription(links[step])
            self._mark_link(links, step)
            return True
        self._link = -1
        return super().focusNextPrevChild(forward)

    def _mark_link(self, links: list[str], index: int) -> None:
        """Select the link's words, so that the person sees where the keyboard is."""
        seen, block = -1, self._document.begin()
        while block.isValid():
            fragments = block.begin()
            while not fragments.atEnd():
                part = fragments.fragment()
                seen += part.charFormat().isAnchor()
                if part.charFormat().isAnchor() and seen == index:
                    self.select(part.position(), part.position() + part.length())
                    return
                fragments += 1
            block = block.next()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if not self.accessibleName():
            self.setAccessibleName(self.toPlainText()[:2000])
        if event.reason() == Qt.FocusReason.TabFocusReason and self.links():
            self._link = 0
            self._mark_link(self.links(), 0)
        super().focusInEvent(event)


def _targets(block: Block) -> list[str]:
    cells = [span for row in block.rows for cell in row for span in cell]
    targets = [span.image or span.href for span in (*block.spans, *cells)]
    return [target for target in targets if target and openable(target)]
