"""The side panel: one tab per view of the conversation. Main thread only."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.jobs import JobsPanel
from ankita_desktop.ui.memory import MemoryPanel, ProjectPanel, SkillsPanel
from ankita_desktop.ui.parts import margins, name, rule
from ankita_desktop.ui.routines import RoutinesPanel
from ankita_desktop.ui.theme import theme
from ankita_desktop.ui.topbar import HEIGHT
from ankita_desktop.ui.usage import Schemas, UsagePanel

WIDTH = 300
ALWAYS = 3
"""So many tabs are always shown; of the others, the one that was opened last."""


class SidePanel(QWidget):
    """The pages and their tabs; collapsible by the window."""

    def __init__(self, everything: Schemas) -> None:
        super().__init__()
        name(self, "sidePanel", "Side panel")
        self.setProperty("look", "background")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self.usage = UsagePanel(everything)
        self.jobs = JobsPanel()
        self.routines = RoutinesPanel()
        self.memory, self.project, self.skills = MemoryPanel(), ProjectPanel(), SkillsPanel()
        self._tabs = QTabBar()
        self._pages = QStackedWidget()
        self._more = IconButton("ellipsis", "More views")
        self._build()

    def open(self, page: QWidget) -> None:
        """Bring one page to the front."""
        place = self._pages.indexOf(page)
        if place >= ALWAYS:
            for other in range(ALWAYS, self._tabs.count()):
                self._tabs.setTabVisible(other, other == place)
        self._tabs.setCurrentIndex(place)

    def count_jobs(self) -> None:
        """Say in the tab how many commands run."""
        running = self.jobs.running()
        self._tabs.setTabText(self._pages.indexOf(self.jobs), f"Jobs {running}" if running else "Jobs")

    def count_due(self, ringing: int) -> None:
        """Say in the tab how many reminders wait for an answer."""
        words = f"Routines {ringing}" if ringing else "Routines"
        self._tabs.setTabText(self._pages.indexOf(self.routines), words)

    def _build(self) -> None:
        name(self._tabs, "sideTabs", "Views of this conversation")
        self._tabs.setFont(theme().font("meta"))
        self._tabs.setExpanding(False)
        self._tabs.setUsesScrollButtons(False)
        self._tabs.setFixedHeight(HEIGHT)
        for words, page in self._views():
            self._tabs.addTab(words)
            self._pages.addWidget(page)
            self._tabs.setTabVisible(self._tabs.count() - 1, self._tabs.count() <= ALWAYS + 1)
        self._tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self._offer_more()
        head = QHBoxLayout()
        margins(head, 0, 8, 0, 16)
        head.addWidget(self._tabs, 1)
        head.addWidget(self._more)
        column = QVBoxLayout(self)
        margins(column, 0)
        column.addLayout(head)
        column.addWidget(rule())
        column.addWidget(self._pages, 1)

    def _views(self) -> tuple[tuple[str, QWidget], ...]:
        return (
            ("Usage", self.usage),
            ("Jobs", self.jobs),
            ("Routines", self.routines),
            ("Memory", self.memory),
            ("Project", self.project),
            ("Skills", self.skills),
        )

    def _offer_more(self) -> None:
        """Views whose tabs have no room of their own."""
        name(self._more, "moreViews", "More views")
        menu = QMenu(self._more)
        for words, page in self._views()[ALWAYS:]:
            menu.addAction(words, partial(self.open, page))
        self._more.setMenu(menu)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setVisible(not menu.isEmpty())
