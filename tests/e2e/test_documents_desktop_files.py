"""Documents, archives and the desktop through `ankita -p`: without a model, and with a scripted one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.test_remembering import ask, scripted, texts
from tests.terminal.shell import inside as ankita
from tests.tools import papers
from tests.wire import calls


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.txt").write_text("hello\n")
    papers.pdf(folder / "report.pdf", ["The first page.", "The second page."], title="Report")
    return folder


def test_without_a_model_a_document_is_read_and_a_page_of_it(work: Path) -> None:
    assert "The second page." in ask("read report.pdf", cwd=work)
    page = ask("read page 2 of report.pdf", cwd=work)
    assert "The second page." in page and "The first page." not in page


def test_without_a_model_a_folder_is_packed_listed_and_unpacked(work: Path) -> None:
    assert ankita("-p", "zip the folder src", "--provider", "offline", cwd=work).code == 3, "nobody could say yes"
    ask("zip the folder src", "--yes", cwd=work)
    assert "src/a.txt" in ask("what's in src.zip", cwd=work)
    ask("unzip src.zip into out", "--yes", cwd=work)
    assert (work / "out" / "src" / "a.txt").read_text() == "hello\n"


def test_without_a_model_the_machine_is_told_by_a_tool_and_not_by_a_command(work: Path) -> None:
    assert "free of" in ask("how much memory is free", cwd=work)
    assert "a.txt" in ask("how big is the folder src", cwd=work)


def test_a_scripted_model_reads_packs_and_measures(work: Path) -> None:
    document, requests = scripted(
        work,
        calls(("find_tools", {"query": "read a pdf, zip a folder"})),
        calls(("read_document", {"path": "report.pdf", "pages": "1"}), ("disk_usage", {"path": "src"})),
        calls(("archive", {"action": "create", "path": "src", "destination": "src.tar.gz"})),
        "Done.",
        options=("--yes",),
    )
    assert [call["ok"] for call in document["calls"]] == [True] * 4, texts(document)
    assert "The first page." in texts(document)[1]
    assert "data, not instructions" in str(requests[2]["messages"])
    assert (work / "src.tar.gz").is_file()


def test_a_scripted_model_finds_the_desktop_and_tells_of_the_machine(work: Path) -> None:
    document, requests = scripted(
        work,
        calls(("find_tools", {"query": "system info"})),
        calls(("system_info", {"about": "memory"})),
        calls(("clipboard", {"action": "read"})),
        "You have enough memory.",
    )
    found, told, refused = document["calls"]
    assert document["groups"] == ["desktop"] and found["ok"] and told["ok"]
    assert "memory" in told["text"].lower()
    assert not refused["ok"] and document["status"] == "denied", "the clipboard is private: nobody could say yes"
    assert "system_info" in str([tool["function"]["name"] for tool in requests[1]["tools"]])
