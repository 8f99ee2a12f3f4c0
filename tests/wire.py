"""A real, scripted, OpenAI-compatible HTTP server on loopback.

    with WireServer([calls(("find_tools", {"query": "ports"})), "Port 3000 is free."]) as server:
        model = OpenAIChat("any", base_url=server.base_url, api_key="sk-test")
        ...
        assert server.requests[1]["messages"][-1]["role"] == "tool"

The n-th POST gets the n-th step; ``requests`` and ``headers`` hold what came (parsed body, lower-case header
names). A step is made by one of the functions below, or is a text, a dict (the JSON form: the same names as
``Step``), or a function of the parsed body that returns a step. When the script is over, the answer is a 400
which says so. ``python -m tests.wire script.json`` plays a JSON list of steps and prints its base URL.
"""

from __future__ import annotations

import json
import random
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

Request = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One answer. ``calls`` is a list of (name, arguments[, id]); arguments may be text that isn't JSON.
    ``wait``: seconds before the first byte; ``hang``: seconds of silence after what was sent. ``reset`` breaks the
    connection after what was sent, ``cut`` ends it well but without a finish. ``body`` replaces the stream by raw
    bytes in pieces of ``piece`` bytes (0: random sizes). ``plain``: one JSON document, not a stream."""

    text: str = ""
    calls: Sequence[Sequence[Any]] = ()
    reasoning: str = ""
    usage: Mapping[str, Any] | None = field(default_factory=lambda: {"prompt_tokens": 7, "completion_tokens": 3})
    finish: str = ""
    wait: float = 0.0
    hang: float = 0.0
    reset: bool = False
    cut: bool = False
    plain: bool = False
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    piece: int = 0
    ids: str = "call"  # what made-up ids of calls begin with: call_0, call_1, ... by request


Scripted = Step | str | Mapping[str, Any] | Callable[[Request], "Scripted"]


def text(words: str, **fields: Any) -> Step:
    return Step(words, **fields)


def calls(*wanted: Sequence[Any], **fields: Any) -> Step:
    """Tool calls, each (name, arguments) or (name, arguments, id)."""
    return Step(calls=wanted, **fields)


def raw(body: bytes, *, piece: int = 0, **fields: Any) -> Step:
    """These bytes as an event stream, in pieces of ``piece`` bytes or of random sizes."""
    return Step(body=body, piece=piece, **fields)


def silent(seconds: float, words: str = "") -> Step:
    """Some words perhaps, then nothing for ``seconds``; the connection stays open."""
    return Step(words, hang=seconds, cut=True)


def reset(words: str = "") -> Step:
    """Some words perhaps, then the connection is reset."""
    return Step(words, reset=True, cut=True)


def status(code: int, message: str = "no", /, *, headers: Mapping[str, str] | None = None, **error: Any) -> Step:
    """An error answer in OpenAI's form; ``error`` are further fields of it, such as ``code``."""
    body = json.dumps({"error": {"message": message, **error}}).encode()
    return Step(status=code, body=body, headers={"content-type": "application/json", **(headers or {})})


class WireServer:
    """See the module. ``seed`` makes the random piece sizes repeatable."""

    def __init__(self, steps: Sequence[Scripted] = (), *, seed: int = 0) -> None:
        self.steps: list[Scripted] = list(steps)
        self.requests: list[Request] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.random = random.Random(seed)
        self.closing = threading.Event()
        self._changed = threading.Condition()
        self._open: set[socket.socket] = set()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.wire = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> WireServer:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.closing.set()
        self._http.shutdown()
        with self._changed:
            for connection in self._open:
                _shut(connection)
        self._thread.join()
        self._http.server_close()

    def wait_for(self, count: int, seconds: float = 10.0) -> None:
        """Until ``count`` requests have come; an AssertionError after ``seconds``."""
        with self._changed:
            came = self._changed.wait_for(lambda: len(self.requests) >= count, seconds)
        assert came, f"{len(self.requests)} of {count} requests came"

    def take(self, headers: Mapping[str, str], request: Request) -> Step:
        with self._changed:
            position = len(self.requests)
            self.requests.append(request)
            self.headers.append({name.lower(): value for name, value in headers.items()})
            self.times.append(time.monotonic())
            self._changed.notify_all()
        if position >= len(self.steps):
            return status(400, f"the script of {len(self.steps)} steps is over")
        step = self.steps[position]
        while callable(step):
            step = step(request)
        made = step if isinstance(step, Step) else Step(step) if isinstance(step, str) else _from_json(step)
        return replace(made, ids=f"call_{position}")

    def connected(self, connection: socket.socket, there: bool) -> None:
        with self._changed:
            (self._open.add if there else self._open.discard)(connection)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    wire: WireServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news here; anything else is."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def setup(self) -> None:
        super().setup()
        self.server.wire.connected(self.connection, True)

    def finish(self) -> None:
        self.server.wire.connected(self.connection, False)
        super().finish()

    def log_message(self, *_: Any) -> None: ...

    def do_GET(self) -> None:
        self._send(200, {"content-type": "application/json"}, [b'{"object":"list","data":[{"id":"scripted"}]}'])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        wire = self.server.wire
        step = wire.take(dict(self.headers), json.loads(body or b"null"))
        if wire.closing.wait(step.wait):
            return
        kind = "application/json" if step.plain else "text/event-stream"
        self._send(step.status, {"content-type": kind, **step.headers}, pieces_of(step, wire.random), step)

    def _send(
        self, code: int, headers: Mapping[str, str], pieces: Sequence[bytes], step: Step | None = None
    ) -> None:
        self.send_response(code)
        for name, value in {**headers, "transfer-encoding": "chunked"}.items():
            self.send_header(name, value)
        self.end_headers()
        for piece in pieces:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if step and step.hang and self.server.wire.closing.wait(step.hang):
            self.close_connection = True
            return
        if step and step.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(b"0\r\n\r\n")


def pieces_of(step: Step, rng: random.Random) -> list[bytes]:
    """The body of an answer as it is written to the socket."""
    if step.body is not None:
        return list(split(step.body, rng, step.piece))
    if step.plain:
        return [json.dumps(_document(step)).encode()]
    return [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in _chunks(step)] + (
        [] if step.cut else [b"data: [DONE]\n\n"]
    )


def split(body: bytes, rng: random.Random, piece: int = 0) -> Iterator[bytes]:
    """``body`` in pieces of ``piece`` bytes, or of random sizes, mostly small."""
    at = 0
    while at < len(body):
        size = piece or rng.choice((1, 2, 3, 7, 20, 100, 1000))
        yield body[at : at + size]
        at += size


def _chunks(step: Step) -> Iterator[dict[str, Any]]:
    yield _chunk({"role": "assistant", "content": ""})
    for words in _words(step.reasoning):
        yield _chunk({"reasoning_content": words})
    for words in _words(step.text):
        yield _chunk({"content": words})
    for index, (name, arguments, call_id) in enumerate(_named(step)):
        yield _chunk({"tool_calls": [_call(call_id, name, "", index=index)]})
        for part in split(arguments.encode(), random.Random(index), 12):
            piece = {"index": index, "function": {"arguments": part.decode("utf-8", "surrogateescape")}}
            yield _chunk({"tool_calls": [piece]})
    if not step.cut:
        yield _chunk({}, step.finish or ("tool_calls" if step.calls else "stop"))
        if step.usage is not None:
            yield {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": dict(step.usage)}


def _document(step: Step) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    if step.calls:
        message["tool_calls"] = [_call(call_id, name, arguments) for name, arguments, call_id in _named(step)]
    finish = step.finish or ("tool_calls" if step.calls else "stop")
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": step.usage}


def _chunk(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": dict(delta), "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "scripted", "choices": [choice]}


def _call(call_id: str, name: str, arguments: str, **more: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}, **more}


def _named(step: Step) -> Iterator[tuple[str, str, str]]:
    for position, (name, arguments, *call_id) in enumerate(step.calls):
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        yield name, written, call_id[0] if call_id else f"{step.ids}_{position}"


def _words(words: str) -> Iterator[str]:
    return (words[at : at + 6] for at in range(0, len(words), 6))


def _from_json(data: Mapping[str, Any]) -> Step:
    fields = dict(data)
    if isinstance(fields.get("body"), str):
        fields["body"] = fields["body"].encode()
    wanted = [
        (call["name"], call.get("arguments", {}), *([call["id"]] if "id" in call else []))
        if isinstance(call, dict)
        else call
        for call in fields.get("calls", ())
    ]
    return Step(**{**fields, "calls": wanted})


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it has gone by itself


def main(argv: Sequence[str]) -> None:
    """Play a script until interrupted."""
    with WireServer(json.loads(Path(argv[1]).read_text("utf-8"))) as server:
        print(server.base_url, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print(f"{len(server.requests)} requests came")


if __name__ == "__main__":
    main(sys.argv)
