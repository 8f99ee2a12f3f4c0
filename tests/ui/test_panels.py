"""The side panel: what runs, with its output and Stop; what it costs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from ankita_desktop.protocol import JobInfo, Round, Usage
from ankita_desktop.toolkit.process import OutputChunk
from ankita_desktop.ui.jobs import JobCard, JobsPanel
from ankita_desktop.ui.usage import Schemas, Today, UsagePanel, cost, meter, midnight, shortened, tokens
from tests import wire
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]
COUNTING = "for i in $(seq 1 500); do echo tick $i; sleep 0.05; done"


def values(panel: QWidget) -> list[str]:
    return [each.accessibleName() for each in panel.findChildren(QWidget) if ": " in each.accessibleName()]


def test_a_running_command_shows_its_output_live_and_can_be_stopped(desk: Open) -> None:
    there = desk(wire.calls(("run_command", {"command": COUNTING, "yield_ms": 100})), "It runs.")
    there.window.sending.choose_mode("all")
    there.say("count")
    there.until_idle()
    card = wait(lambda: there.window.panel.jobs.findChild(JobCard))
    card.toggle()
    output = there.find("jobOutput")
    wait(lambda: "tick 5\n" in output.toPlainText())
    lines = output.toPlainText().split("\n")
    assert lines == [f"tick {n}" for n in range(1, len(lines) + 1)], "no line twice, none missing, no empty one"
    QTest.mouseClick(there.find("jobStopButton"), Qt.MouseButton.LeftButton)
    wait(lambda: there.window.panel.jobs.running() == 0)
    assert not there.find("jobStopButton").isVisible()


def test_a_job_that_failed_says_its_code(qt: QApplication) -> None:
    panel = JobsPanel()
    panel.update_job(JobInfo("a", "false", "/", 1, 0.0, exit_code=3))
    assert panel.findChild(JobCard)
    texts = [each.text() for each in panel.findChildren(QWidget) if hasattr(each, "text")]
    assert "exit 3" in texts


def test_bytes_that_are_no_longer_kept_are_said(qt: QApplication) -> None:
    card = JobCard(JobInfo("a", "yes", "/", 1, 0.0, exit_code=0))
    card.add_output(OutputChunk("end\n", 9_000, dropped=8_996))
    card.add_output(OutputChunk("more", 9_004))
    assert card.findChild(QWidget, "jobOutput").toPlainText() == "[8996 bytes are no longer kept]\nend\nmore"


def test_the_usage_tab_says_what_was_sent_and_saved(qt: QApplication) -> None:
    panel = UsagePanel(Schemas(58, 30_000))
    panel.show_rounds(
        [Round(21, 7_600, Usage(1_000, 0, 50, 0.01)), Round(23, 8_500, Usage(3_000, 2_360, 50, 0.02))]
    )
    said = values(panel)
    assert "This conversation: 2 rounds" in said
    assert "Cached: 59 %" in said
    assert "Schemas sent: 23 of 58 tools" in said
    assert "Not loaded: 21.5 KB saved a round" in said
    assert "Cost: $0.03" in said


def test_the_usage_tab_says_how_many_bytes_each_group_takes(qt: QApplication) -> None:
    panel = UsagePanel(Schemas(58, 30_000))
    panel.show_rounds([Round(23, 8_500, Usage(1_000), (), {"core": 7_600, "process": 900})])
    assert {"core: 7.6 KB", "process: 0.9 KB"} <= set(values(panel))
    panel.add_round(Round(21, 7_600, Usage(1_000), (), {"core": 7_600}))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert "core: 7.6 KB" in values(panel) and "process: 0.9 KB" not in values(panel)
    assert shortened({f"g{n}": 10 for n in range(9)})["3 more"] == 30


def test_today_is_measured_against_the_budget(qt: QApplication) -> None:
    panel = UsagePanel(Schemas())
    today = panel.findChild(Today)
    assert isinstance(today, Today) and today.isHidden()
    panel.show_today(0.31, 5.0)
    assert "Today: $0.31 of $5.00" in values(panel) and not today.isHidden()
    panel.show_today(0.31, 0.0)
    assert "Today: $0.31" in values(panel)
    panel.show_today(None, 5.0)
    assert "Today: $0.00 of $5.00" in values(panel)


def test_every_conversation_of_today_counts_and_none_of_yesterday(desk: Open) -> None:
    there = desk(wire.text("Hi.", usage={"prompt_tokens": 9, "completion_tokens": 1, "cost": 0.25}))
    store, settings = there.application.assembly.store, there.application.assembly.settings
    settings.set("agent.daily_budget", "5")
    other = store.create_session(cwd="/", mode="ask", model="").id
    store.add_round(other, "t", Round(1, 1, Usage(1, 0, 1, 0.5)))
    there.say("hello")
    there.until_idle()
    wait(lambda: "Today: $0.75 of $5.00" in values(there.window.panel.usage))
    assert store.spent(midnight() + 86_400) is None


def test_an_unknown_cost_is_not_called_zero(qt: QApplication) -> None:
    panel = UsagePanel(Schemas())
    panel.add_round(Round(1, 10, Usage(100, 0, 5, None)))
    assert "Cost: not known" in values(panel)
    assert "$" not in meter([Round(1, 10, Usage(100, 0, 5, None))])


def test_the_meter_is_short() -> None:
    rounds = [Round(1, 10, Usage(14_210, 11_900, 5, 0.02))]
    assert meter(rounds) == "14.2k in · 11.9k cached · $0.02"
    assert meter([]) == ""
    assert (tokens(999), tokens(1_000)) == ("999", "1.0k")
    assert (cost(None), cost(0.0), cost(0.0042)) == ("", "$0.00", "< $0.01")
