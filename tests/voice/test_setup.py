"""`ankita voice setup` gets a model whole, or says why not; what broke off is gone on with."""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import Cancelled, VoiceError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.voice.setup import Download, fetch, use_folder


def archive(*names: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name in names:
            file.writestr(name, b"\x07" * 300_000)
    return target.getvalue()


MODEL = archive("vosk-model-test/am/final.mdl", "vosk-model-test/conf/model.conf")


class Server:
    """Publishes an archive. ``cut`` bytes into an answer the connection breaks; ``hold`` bytes into it nothing
    more comes until ``resume``; ``ranges`` were asked for."""

    def __init__(self) -> None:
        self.content, self.cut, self.status, self.knows_ranges = MODEL, 0, 0, True
        self.hold = 0
        self._resumed = threading.Event()
        self.ranges: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.answer(self)

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/model.zip"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        asked = request.headers.get("Range", "")
        self.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.knows_ranges else 0
        body = self.content[start:]
        request.send_response(self.status or (206 if start else 200))
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        body = body[: self.cut] if self.cut else body
        if self.hold:
            request.wfile.write(body[: self.hold])
            self._resumed.wait(30)
            body = body[self.hold :]
        try:
            request.wfile.write(body)
        except OSError:  # whoever asked has gone
            pass

    def resume(self) -> None:
        self._resumed.set()

    def download(self) -> Download:
        return Download("vosk-model-test", self.url, hashlib.sha256(MODEL).hexdigest(), len(MODEL))

    def close(self) -> None:
        self.resume()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def nothing(_done: int, _total: int) -> None: ...


def test_a_model_is_fetched_with_progress_and_only_once(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    folder = fetch(server.download(), tmp_path, progress=lambda *at: seen.append(at))
    assert (folder / "am" / "final.mdl").is_file()
    assert seen[-1] == (len(MODEL), len(MODEL))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert fetch(server.download(), tmp_path, progress=nothing) == folder
    assert len(server.ranges) == 1
    assert [path.name for path in tmp_path.iterdir()] == [folder.name], "nothing else is left behind"


def test_a_download_that_broke_off_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.cut = 200_000
    with pytest.raises(VoiceError, match="goes on where it stopped"):
        fetch(server.download(), tmp_path, progress=nothing)
    server.cut = 0
    assert (fetch(server.download(), tmp_path, progress=nothing) / "am" / "final.mdl").is_file()
    assert int(server.ranges[1].removeprefix("bytes=").rstrip("-")) > 100_000


def test_a_server_that_cannot_resume_begins_again(server: Server, tmp_path: Path) -> None:
    server.cut, server.knows_ranges = 200_000, False
    with pytest.raises(VoiceError):
        fetch(server.download(), tmp_path, progress=nothing)
    server.cut = 0
    assert (fetch(server.download(), tmp_path, progress=nothing) / "am" / "final.mdl").is_file()


def test_a_file_that_is_not_the_model_is_thrown_away(server: Server, tmp_path: Path) -> None:
    download = server.download()
    server.content = MODEL[:-10] + b"0123456789"
    with pytest.raises(VoiceError, match="thrown away"):
        fetch(download, tmp_path, progress=nothing)
    assert list(tmp_path.iterdir()) == []
    server.content = MODEL
    assert fetch(download, tmp_path, progress=nothing).is_dir()


def test_more_than_was_announced_is_not_written_to_the_disk(server: Server, tmp_path: Path) -> None:
    download = server.download()
    server.content = MODEL + b"x" * 5_000_000
    with pytest.raises(VoiceError, match="thrown away"):
        fetch(download, tmp_path, progress=nothing)


def test_a_refusal_is_said(server: Server, tmp_path: Path) -> None:
    server.status = 404
    with pytest.raises(VoiceError, match="404"):
        fetch(server.download(), tmp_path, progress=nothing)


def test_a_stop_keeps_what_came(server: Server, tmp_path: Path) -> None:
    cancel = Cancel()
    with pytest.raises(Cancelled):
        fetch(server.download(), tmp_path, progress=lambda *_: cancel.set(), cancel=cancel)
    assert (tmp_path / "vosk-model-test.zip.part").stat().st_size > 0
    assert fetch(server.download(), tmp_path, progress=nothing).is_dir()


def test_an_archive_cannot_write_outside_its_folder(server: Server, tmp_path: Path) -> None:
    server.content = archive("../../outside.txt", "vosk-model-test/am/final.mdl")
    sha = hashlib.sha256(server.content).hexdigest()
    models = tmp_path / "a" / "models"
    fetch(Download("vosk-model-test", server.url, sha, len(server.content)), models, progress=nothing)
    assert not (tmp_path / "outside.txt").exists()
    assert not (tmp_path / "a" / "outside.txt").exists()


def test_a_folder_that_is_here_already_can_be_used(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match="no vosk model"):
        use_folder(tmp_path)
    with pytest.raises(VoiceError, match="no folder"):
        use_folder(tmp_path / "nowhere")
    (tmp_path / "am").mkdir()
    (tmp_path / "am" / "final.mdl").write_bytes(b"x")
    assert use_folder(tmp_path) == tmp_path
