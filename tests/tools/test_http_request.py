"""http_request: what it sends, what it tells, where it may go, and how fast it stops."""

from __future__ import annotations

import functools
import gzip
import importlib.util
import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

from ankita_desktop import paths
from ankita_desktop.protocol import Approved, Decision
from ankita_desktop.toolkit import Cancel, Cancelled, Preview, ToolContext, ToolError, ToolResult, addresses, net
from ankita_desktop.toolkit.untrusted import unframed

OUTSIDE = "127.0.0.2"  # stands for a public address in these tests


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "http_request_under_test", paths.bundled("tools") / "core" / "http_request.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load()


class Site:
    """A small web site on one loopback address. ``seen`` holds (method, path, headers, body)."""

    def __init__(self, host: str) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {
            "/": (200, {"content-type": "text/plain"}, b"home")
        }
        self.closing = threading.Event()
        self.gone = threading.Event()
        self.server = ThreadingHTTPServer((host, 0), self._handler())
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://{host}:{self.server.server_address[1]}"

    def close(self) -> None:
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()

    def _handler(site: Site) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - the handler's own self is inside
        class Handler(BaseHTTPRequestHandler):
            def do(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                site.seen.append((self.command, self.path, headers, body))
                if self.path == "/hang":
                    return site.wait_for_end(self.connection)
                status, fields, content = site.pages.get(self.path, (404, {}, b"nothing here"))
                self.send_response(status)
                for name, value in {**fields, "content-length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)
                return None

            do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do  # noqa: N815

            def log_message(self, *_: Any) -> None: ...

        return Handler

    def wait_for_end(self, connection: socket.socket) -> None:
        """Until the client closes its end."""
        connection.settimeout(10)
        if connection.recv(1) == b"":
            self.gone.set()


@pytest.fixture
def here() -> Iterator[Site]:
    site = Site("127.0.0.1")
    yield site
    site.close()


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site that counts as public, also under the name public.example."""
    judge = addresses.reach_of
    monkeypatch.setattr(net, "reach_of", lambda host: "" if host == OUTSIDE else judge(host))
    resolve(monkeypatch, {"public.example": [OUTSIDE]})
    site = Site(OUTSIDE)
    yield site
    site.close()


def resolve(monkeypatch: pytest.MonkeyPatch, names: dict[str, list[str]]) -> None:
    """Name service: the IPs of a name in turn, the last one for good."""
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in names:
            if str(host)[-1:].isalpha() and host != "localhost":
                raise socket.gaierror("unknown name")
            return real(host, port, *args, **kwargs)
        ips = names[host]
        return real(ips.pop(0) if len(ips) > 1 else ips[0], port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def context(tmp_path: Path | None = None, **fields: Any) -> ToolContext:
    return ToolContext(tmp_path or Path("/"), jobs=cast(Any, None), **fields)


def approved(args: dict[str, Any]) -> ToolContext:
    """A context in which a person has said yes to what they were shown."""
    shown: Preview = TOOL.preview(args, context())
    return context(approved=Approved(shown, Decision(True)))


def send(**args: Any) -> ToolResult:
    result: ToolResult = TOOL.run(args, approved(args))
    return result


def level(**args: Any) -> str:
    return str(TOOL.approval_for(args, context()))


# --- what is sent ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kind", "body"),
    [
        ({"json": {"a": "ü"}}, "application/json", '{"a": "ü"}'.encode()),
        ({"json": None}, "application/json", b"null"),
        ({"form": {"a": "1 2", "b": "&"}}, "application/x-www-form-urlencoded", b"a=1+2&b=%26"),
        ({"body": "raw"}, None, b"raw"),
    ],
)
def test_a_body_is_sent_as_json_form_or_text(
    here: Site, given: dict[str, Any], kind: str | None, body: bytes
) -> None:
    send(url=here.url, **given)
    method, _, headers, sent = here.seen[0]
    assert (method, headers.get("content-type"), sent) == ("POST", kind, body)


@pytest.mark.parametrize("method", ["get", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
def test_every_method_is_sent_as_given(here: Site, method: str) -> None:
    send(url=here.url, method=method)
    assert here.seen[0][0] == method.upper()


def test_headers_and_basic_auth_are_sent(here: Site) -> None:
    send(url=here.url.replace("//", "//jo:p%40ss@"), headers={"X-Test": "1"})
    headers = here.seen[0][2]
    assert (headers["x-test"], headers["authorization"]) == ("1", "Basic am86cEBzcw==")
    assert headers["host"] == here.url.removeprefix("http://")


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        ({"json": {}, "body": ""}, "only one"),
        ({"headers": {"Host": "x"}}, "host"),
        ({"headers": {"X": "a\r\nY: b"}}, "printable"),
        ({"method": "FETCH"}, "GET, HEAD"),
    ],
)
def test_a_request_that_makes_no_sense_is_explained(here: Site, args: dict[str, Any], hint: str) -> None:
    with pytest.raises(ToolError, match=hint):
        TOOL.run({"url": here.url, **args}, context())
    assert here.seen == []


# --- what is told ---------------------------------------------------------------------------


def test_status_kind_size_and_body_are_told(here: Site) -> None:
    result = send(url=here.url)
    assert unframed(result.text) == "HTTP 200 OK · text/plain · 4 bytes\n\nhome"
    assert (result.ok, result.details["status"]) == (True, 200)


def test_an_error_status_is_no_success_but_its_body_is_told(here: Site) -> None:
    result = send(url=f"{here.url}/missing")
    assert not result.ok
    assert "HTTP 404" in result.text
    assert "nothing here" in result.text


def test_an_expected_status_decides_what_success_is(here: Site) -> None:
    assert send(url=f"{here.url}/missing", expect_status=404).ok
    result = send(url=here.url, expect_status=201)
    assert not result.ok
    assert "Expected status 201" in result.text


def test_a_long_body_is_cut_with_a_word_about_it(here: Site) -> None:
    here.pages["/long"] = (200, {}, b"x" * 40_000)
    here.pages["/huge"] = (200, {"content-encoding": "gzip"}, gzip.compress(b"y" * 30_000_000))
    assert "cut after 30,000 characters" in send(url=f"{here.url}/long").text
    huge = send(url=f"{here.url}/huge").text
    assert "the first 2,097,152 bytes" in huge
    assert "cut after" in huge


def test_what_is_no_text_is_not_shown(here: Site) -> None:
    here.pages["/pic"] = (200, {"content-type": "image/png"}, b"\x89PNG\x00")
    assert "curl -o" in send(url=f"{here.url}/pic").text


def test_text_in_another_charset_is_read(here: Site) -> None:
    here.pages["/latin"] = (200, {"content-type": "text/html; charset=iso-8859-1"}, "é".encode("latin-1"))
    assert unframed(send(url=f"{here.url}/latin").text).endswith("é")


# --- who is asked ---------------------------------------------------------------------------


def test_reading_from_outside_is_never_asked_everything_else_is(outside: Site) -> None:
    assert level(url=outside.url) == "never"
    assert level(url="http://public.example/") == "never"
    assert level(url=outside.url, method="HEAD") == "never"
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        assert level(url=outside.url, method=method) == "ask"
    assert level(url=outside.url, method="GET", body="x") == "ask"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1", "http://localhost:1", "http://2130706433", "http://0x7f.1", "http://[::1]",
            "http://10.0.0.1", "http://169.254.169.254/latest", "http://metadata.google.internal", "http://router"],
)  # fmt: skip
def test_reading_from_this_machine_or_network_is_asked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolve(monkeypatch, {})
    assert level(url=url) == "ask"


def test_a_public_name_of_a_private_address_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve(monkeypatch, {"sneaky.example": ["10.1.2.3"]})
    assert level(url="https://sneaky.example/") == "ask"


def test_the_question_shows_the_whole_request_and_where_it_goes(here: Site) -> None:
    shown = TOOL.preview({"url": here.url, "json": {"a": 1}, "headers": {"X-Key": "k"}}, context())
    assert "POST" in shown.question
    assert all(part in shown.text for part in (here.url, "x-key: k", '{"a": 1}'))
    assert shown.where == f"{here.url} (this machine)"
    assert shown.effect == "send"
    metadata = TOOL.preview({"url": "http://169.254.169.254/"}, context())
    assert "credentials" in metadata.danger


def test_a_yes_to_a_method_and_origin_covers_no_other(here: Site, outside: Site) -> None:
    keys = {
        TOOL.preview({"url": url, "method": method}, context()).grant_key
        for url in (here.url, outside.url) for method in ("GET", "POST")
    }  # fmt: skip
    assert len(keys) == 4
    assert TOOL.preview({"url": here.url}, context()).grant_key in keys


# --- where it may go ------------------------------------------------------------------------


def hop(site: Site, path: str, to: str, status: int = 302) -> str:
    site.pages[path] = (status, {"location": to}, b"")
    return site.url + path


def test_redirects_are_followed_and_named(outside: Site) -> None:
    result = send(url=hop(outside, "/old", "/"))
    assert f"redirected to: {outside.url}/" in result.text
    assert unframed(result.text).endswith("home")
    assert "location: /" in send(url=f"{outside.url}/old", redirects=False).text


def test_a_redirect_from_outside_to_this_machine_is_refused(here: Site, outside: Site) -> None:
    url = hop(outside, "/in", here.url)
    for ctx in (context(), approved({"url": url})):
        with pytest.raises(ToolError, match="this machine"):
            TOOL.run({"url": url}, ctx)
    assert here.seen == []


def test_a_redirect_deep_in_a_chain_is_judged_too(here: Site, outside: Site) -> None:
    hop(outside, "/2", "/3")
    hop(outside, "/3", here.url)
    with pytest.raises(ToolError, match="this machine"):
        send(url=hop(outside, "/1", "/2"))
    assert here.seen == []


def test_a_local_page_may_redirect_within_itself(here: Site) -> None:
    assert unframed(send(url=hop(here, "/old", "/")).text).endswith("home")


def test_without_a_yes_a_local_address_is_not_read(here: Site) -> None:
    with pytest.raises(ToolError, match="nobody has allowed"):
        TOOL.run({"url": here.url}, context())
    assert here.seen == []


def test_a_name_that_moves_to_this_machine_after_it_was_judged_is_refused(
    here: Site, outside: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = here.url.rpartition(":")[2]
    resolve(monkeypatch, {"moving.example": [OUTSIDE, OUTSIDE, "127.0.0.1"]})
    args = {"url": f"http://moving.example:{port}/"}
    assert TOOL.approval_for(args, context()) == "never"
    ctx = approved(args)
    with pytest.raises(ToolError, match="this machine"):
        TOOL.run(args, ctx)
    assert here.seen == []


def test_a_name_is_connected_to_at_the_address_that_was_judged(outside: Site) -> None:
    port = outside.url.rpartition(":")[2]
    send(url=f"http://public.example:{port}/")
    assert outside.seen[0][2]["host"] == f"public.example:{port}"


def test_credentials_do_not_cross_origins(outside: Site) -> None:
    port = outside.url.rpartition(":")[2]
    elsewhere = f"http://public.example:{port}/"
    url = hop(outside, "/away", elsewhere).replace("//", "//jo:secret@", 1)
    send(url=url, headers={"Cookie": "c=1", "X-Api-Key": "k", "Accept": "text/plain"})
    first, second = (seen[2] for seen in outside.seen)
    assert {"authorization", "cookie", "x-api-key"} <= first.keys()
    assert not {"authorization", "cookie", "x-api-key"} & second.keys()
    assert second["accept"] == "text/plain"


def test_credentials_stay_within_one_origin(outside: Site) -> None:
    send(url=hop(outside, "/old", "/"), headers={"Authorization": "Bearer t"})
    assert outside.seen[1][2]["authorization"] == "Bearer t"


@pytest.mark.parametrize(
    ("status", "method"), [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")]
)
def test_a_redirected_post_keeps_its_body_only_where_it_should(outside: Site, status: int, method: str) -> None:
    send(url=hop(outside, "/form", "/", status), form={"a": "1"})
    assert (outside.seen[1][0], outside.seen[1][3]) == (method, b"a=1" if method == "POST" else b"")


def test_a_post_is_not_sent_on_to_another_origin(outside: Site) -> None:
    port = outside.url.rpartition(":")[2]
    with pytest.raises(ToolError, match="another origin"):
        send(url=hop(outside, "/form", f"http://public.example:{port}/", 307), form={"a": "1"})
    assert len(outside.seen) == 1


def test_a_circle_of_redirects_ends(outside: Site) -> None:
    with pytest.raises(ToolError, match="More than 10 redirects"):
        send(url=hop(outside, "/round", "/round"))


def test_cookies_of_one_request_are_not_kept_for_the_next(outside: Site) -> None:
    outside.pages["/"] = (200, {"set-cookie": "a=1"}, b"")
    send(url=outside.url)
    send(url=outside.url)
    assert "cookie" not in outside.seen[1][2]


@pytest.fixture
def certified(tmp_path: Path, here: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The local site behind TLS, with a certificate for secure.example that is trusted in this test."""
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    if not shutil.which("openssl"):
        pytest.skip("openssl, which makes the certificate, is not here")
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=secure.example"
    name = ["-addext", "subjectAltName=DNS:secure.example", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*make.split(), *name], check=True, capture_output=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(cert, key)
    here.server.socket = server.wrap_socket(here.server.socket, server_side=True)
    trusting = ssl.create_default_context(cafile=str(cert))
    monkeypatch.setattr(net, "_tls", lambda: trusting)
    monkeypatch.setattr(net, "_direct", functools.cache(net._direct.__wrapped__))
    return here


def test_a_certificate_is_checked_for_the_name_though_the_address_was_looked_up_before(
    certified: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = certified.url.rpartition(":")[2]
    resolve(monkeypatch, {"secure.example": ["127.0.0.1"], "other.example": ["127.0.0.1"]})
    assert unframed(send(url=f"https://secure.example:{port}/").text).endswith("home")
    with pytest.raises(ToolError, match=r"certificate of other\.example"):
        send(url=f"https://other.example:{port}/")


# --- trouble and stopping -------------------------------------------------------------------


def test_nothing_listening_and_unknown_names_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ToolError, match=r"can't be reached.*refused"):
        send(url=f"http://127.0.0.1:{port}/")
    resolve(monkeypatch, {})
    with pytest.raises(ToolError, match="not found"):
        send(url="http://nowhere.example/")


def stopped(run: Callable[[Cancel], object], ready: Callable[[], bool]) -> float:
    """Seconds from Stop to the end of ``run``."""
    cancel, pressed = Cancel(), []

    def stop() -> None:
        while not ready():
            threading.Event().wait(0.005)
        pressed.append(time.monotonic())
        cancel.set()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(Cancelled):
        run(cancel)
    ended = time.monotonic()
    thread.join()
    return ended - pressed[0]


def test_stop_closes_the_connection_at_once(here: Site) -> None:
    args = {"url": f"{here.url}/hang"}
    agreed = approved(args).approved

    def run(cancel: Cancel) -> object:
        return TOOL.run(args, context(cancel=cancel, approved=agreed))

    assert stopped(run, lambda: bool(here.seen)) < 0.2
    assert here.gone.wait(0.2)


def test_stop_does_not_wait_for_a_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, release = threading.Event(), threading.Event()

    def look_up(*_: Any, **__: Any) -> Any:
        asked.set()
        release.wait(20)
        raise socket.gaierror("late")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    def judge(cancel: Cancel) -> object:
        return TOOL.approval_for({"url": "http://slow.example/"}, context(cancel=cancel))

    assert stopped(judge, asked.is_set) < 0.2
    release.set()


def test_what_the_model_pays_for_the_tool_is_small() -> None:
    function = {"name": TOOL.name, "description": TOOL.description, "parameters": TOOL.parameters}
    assert len(json.dumps({"type": "function", "function": function}, separators=(",", ":"))) <= 450
