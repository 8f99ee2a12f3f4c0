"""The side panel: one tab per view of the conversation. Main thread only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from ankita_desktop.ui.jobs import JobsPanel
from ankita_desktop.ui.parts import margins, name, rule
from ankita_desktop.ui.theme import theme
from ankita_desktop.ui.topbar import HEIGHT
from ankita_desktop.ui.usage import Schemas, UsagePanel

WIDTH = 300


class SidePanel(QWidget):
    """Usage and Jobs; collapsible by the window."""

    def __init__(self, everything: Schemas) -> None:
        super().__init__()
        name(self, "sidePanel", "Side panel")
        self.setProperty("look", "background")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self.usage = UsagePanel(everything)
        self.jobs = JobsPanel()
        self._tabs = QTabBar()
        self._pages = QStackedWidget()
        self._build()

    def open(self, page: QWidget) -> None:
        """Bring one page to the front."""
        self._tabs.setCurrentIndex(self._pages.indexOf(page))

    def count_jobs(self) -> None:
        """Say in the tab how many commands run."""
        running = self.jobs.running()
        self._tabs.setTabText(self._pages.indexOf(self.jobs), f"Jobs {running}" if running else "Jobs")

    def _build(self) -> None:
        name(self._tabs, "sideTabs", "Views of this conversation")
        self._tabs.setFont(theme().font("meta"))
        self._tabs.setExpanding(False)
        self._tabs.setFixedHeight(HEIGHT)
        for words, page in (("Usage", self.usage), ("Jobs", self.jobs)):
            self._tabs.addTab(words)
            self._pages.addWidget(page)
        self._tabs.currentChanged.connect(self._pages.setCurrentIndex)
        head = QVBoxLayout()
        margins(head, 0, 16)
        head.addWidget(self._tabs)
        column = QVBoxLayout(self)
        margins(column, 0)
        column.addLayout(head)
        column.addWidget(rule())
        column.addWidget(self._pages, 1)
