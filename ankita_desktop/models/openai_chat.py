"""Any server that speaks OpenAI's ``/chat/completions``, streamed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ankita_desktop.models import chat_request
from ankita_desktop.models.failures import (
    Broken,
    Failure,
    Retries,
    error_for,
    from_response,
    in_stream,
    nothing_said,
    reason_for,
)
from ankita_desktop.models.stream import Assembler, ChunkReader
from ankita_desktop.protocol import (
    Abilities,
    ModelPart,
    ModelRequest,
    Restarted,
    TextPart,
    compact_json,
)
from ankita_desktop.toolkit import loop, net
from ankita_desktop.toolkit.cancel import Cancel

if TYPE_CHECKING:
    import httpx

LONGEST_COMPLAINT = 1 << 16  # bytes of an error's body
AFTER_FINISH = 5.0  # seconds to wait for the usage that may follow the last word
AFTER_DONE = 0.05  # seconds to let the connection end well, so that it can be used again


class OpenAIChat:
    """A ``protocol.Model``. Thread-safe; each ``stream`` is one request (and its retries).

    ``base_url`` ends where ``/chat/completions`` begins; ``headers`` are added to every request and may
    replace ours.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str = "",
        headers: Mapping[str, str] | None = None,
        abilities: Abilities | None = None,
    ) -> None:
        self._model = model
        self._base = base_url.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/")
        self._key = api_key.strip()
        self._headers = dict(headers or {})
        self._abilities = abilities or Abilities()
        self._left_out: set[str] = set()  # what this server refused once

    @property
    def id(self) -> str:
        return self._model

    @property
    def abilities(self) -> Abilities:
        return self._abilities

    def stream(self, request: ModelRequest, cancel: Cancel) -> Iterator[ModelPart]:
        """See ``protocol.Model``. Blocks the calling thread between parts."""
        cancel.check()
        yield from loop.iterate(self._answer(request), cancel)

    async def _answer(self, request: ModelRequest) -> AsyncGenerator[ModelPart, None]:
        """Tries until an answer is whole, the retries are used up, or the failure is one that stays."""
        retries = Retries()
        while True:
            said: list[str] = []
            try:
                async for part in self._try(request):
                    if isinstance(part, TextPart):
                        said.append(part.text)
                    yield part
                return
            except Broken as broken:
                failure = self._without_key(broken.failure)
            wait = 0.0 if self._leave_out(failure) else retries.wait(failure)
            if wait is None:
                raise error_for(failure, model=self._model, host=self._host, partial="".join(said))
            if wait:
                yield Restarted(reason_for(failure, self._host), wait)
                await asyncio.sleep(wait)

    async def _try(self, request: ModelRequest) -> AsyncGenerator[ModelPart, None]:
        assembler = Assembler()
        async with self._response(request) as response:
            async for chunk in _chunks(response, assembler):
                if failure := in_stream(chunk):
                    raise Broken(failure)
                for part in assembler.feed(chunk):
                    yield part
        if assembler.empty:
            raise Broken(nothing_said(assembler.finish))
        yield assembler.answer(self._base)

    @asynccontextmanager
    async def _response(self, request: ModelRequest) -> AsyncIterator[httpx.Response]:
        import httpx

        content = compact_json(self._body(request)).encode("utf-8", "replace")
        try:
            sending = net.client().stream("POST", self._url, content=content, headers=self._all_headers())
            async with sending as response:
                if not response.is_success:
                    raise Broken(from_response(response.status_code, response.headers, await _complaint(response)))
                yield response
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            raise Broken(Failure(message=net.why(error), fault="unreachable")) from error
        except httpx.ReadTimeout as error:
            raise Broken(Failure(fault="silent")) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise Broken(Failure(fault="cut")) from error

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        if "provider" in self._left_out:
            messages = tuple(replace(message, provider={}) for message in request.messages)
            request = replace(request, messages=messages)
        vision = self._abilities.vision and "images" not in self._left_out
        body = chat_request.body(request, self._model, vision=vision, origin=self._base)
        if "stream_options" in self._left_out:
            del body["stream_options"]
        return body

    def _all_headers(self) -> dict[str, str]:
        headers = {"content-type": "application/json", "accept": "text/event-stream, application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        headers |= {name.lower(): value for name, value in self._headers.items()}
        if not all(value.isascii() and value.isprintable() for value in headers.values()):
            raise Broken(Failure(fault="key"))
        return headers

    def _leave_out(self, failure: Failure) -> bool:
        """Some servers refuse what others need. True: leave that out from now on and ask again."""
        for what, words in _OPTIONAL.items():
            if what not in self._left_out and failure.about(*words):
                self._left_out.add(what)
                return True
        return False

    def _without_key(self, failure: Failure) -> Failure:
        hidden = failure.message.replace(self._key, "…") if self._key else failure.message
        return replace(failure, message=hidden)

    @property
    def _url(self) -> str:
        return f"{self._base}/chat/completions"

    @property
    def _host(self) -> str:
        """The server's name for texts: never with a password from the address."""
        return (
            self._base.partition("://")[2].split("/")[0].rpartition("@")[2] or self._base or "The model's server"
        )


_OPTIONAL = {
    "stream_options": ("stream_options", "include_usage"),
    "provider": ("reasoning_content", "reasoning_details", "reasoning", "extra_content"),
    "images": ("image_url", "image input", "does not support image"),
}


async def _complaint(response: httpx.Response) -> bytes:
    """The body of an error, as far as it comes."""
    import httpx

    body = b""
    try:
        async with asyncio.timeout(AFTER_FINISH):
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > LONGEST_COMPLAINT:
                    break
    except (TimeoutError, httpx.TransportError, httpx.DecodingError):
        pass  # the status alone says enough
    return body


async def _chunks(response: httpx.Response, assembler: Assembler) -> AsyncGenerator[Mapping[str, Any], None]:
    """The JSON objects of a streamed or plain answer. Raises ``Broken`` when it ends too early."""
    reader = ChunkReader()
    async for piece in _pieces(response, reader, assembler):
        for chunk in reader.feed(piece):
            yield chunk
    for chunk in reader.finish():
        yield chunk
    if not (reader.done or assembler.finish):
        raise Broken(Failure(fault="cut"))


async def _pieces(
    response: httpx.Response, reader: ChunkReader, assembler: Assembler
) -> AsyncGenerator[bytes, None]:
    """The bytes of the answer. Once its last word is there, neither a server that keeps the connection open nor
    one that resets it can spoil it."""
    import httpx

    pieces = response.aiter_bytes()
    while True:
        patience = AFTER_DONE if reader.done else AFTER_FINISH if assembler.finish else None
        try:
            async with asyncio.timeout(patience):
                piece = await anext(pieces, None)
        except TimeoutError:
            return
        except httpx.TransportError:
            if reader.done or assembler.finish:
                return
            raise
        if piece is None:
            return
        yield piece
