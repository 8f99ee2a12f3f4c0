"""Our messages as the body of a chat completion request. Reads attachments from disk, otherwise pure."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.models.stream import ORIGIN
from ankita_desktop.protocol import Attachment, Message, ModelRequest, ToolCall, compact_json
from ankita_desktop.toolkit.attachments import seen

Wire = dict[str, Any]


def body(request: ModelRequest, model: str, *, vision: bool, origin: str = "") -> Wire:
    """The JSON body of a streaming request. ``origin`` is the server it goes to: fields that another server
    wanted back stay at home."""
    wire: Wire = {"model": model, "messages": messages(request, vision=vision, origin=origin)}
    if request.tools:
        wire["tools"] = [tool.entry() for tool in request.tools]
    return wire | {"stream": True, "stream_options": {"include_usage": True}}


def messages(request: ModelRequest, *, vision: bool, origin: str = "") -> list[Wire]:
    """The system text first, then the conversation. Images that tools returned follow their round of results
    as a user message, since a tool's message holds text only."""
    wire: list[Wire] = [{"role": "system", "content": request.system}] if request.system else []
    waiting: list[Message] = []
    for message in request.messages:
        if message.role != "tool":
            wire += _images_of_results(waiting)
            waiting = []
        elif vision and any(_is_image(item) for item in message.attachments):
            waiting.append(message)
        wire.append(_message(message, vision=vision, origin=origin))
    return wire + _images_of_results(waiting)


def _message(message: Message, *, vision: bool, origin: str) -> Wire:
    if message.role == "assistant":
        return _assistant(message, origin)
    if message.role == "tool":
        unseen = [item for item in message.attachments if not (vision and _is_image(item))]
        text = _lines(message.text, unseen)
        return {"role": "tool", "tool_call_id": message.call_id, "content": text or "(no output)"}
    if not vision or not any(_is_image(item) for item in message.attachments):
        return {"role": "user", "content": _lines(message.text, message.attachments)}
    text = _lines(message.text, (item for item in message.attachments if not _is_image(item)))
    return {"role": "user", "content": [*_text_part(text), *_image_parts(message.attachments)]}


def _assistant(message: Message, origin: str) -> Wire:
    wire: Wire = {"role": "assistant", "content": message.text or (None if message.calls else "")}
    kept = message.provider
    mine = not origin or kept.get(ORIGIN, origin) == origin
    extras = kept.get("calls", {}) if mine else {}
    if message.calls:
        wire["tool_calls"] = [_call(call, extras.get(call.id)) for call in message.calls]
    if mine:
        wire |= {name: value for name, value in kept.items() if name not in ("calls", ORIGIN)}
    return wire


def _call(call: ToolCall, extra: Any) -> Wire:
    arguments = {"name": call.name, "arguments": call.arguments} if call.via else call.arguments
    function = {"name": call.via or call.name, "arguments": compact_json(arguments)}
    wire: Wire = {"id": call.id, "type": "function", "function": function}
    return wire | {"extra_content": extra} if extra else wire


def _images_of_results(results: list[Message]) -> list[Wire]:
    if not results:
        return []
    parts: list[Wire] = []
    for result in results:
        parts += [*_text_part(f"Returned by {result.name or 'the tool'}:"), *_image_parts(result.attachments)]
    return [{"role": "user", "content": parts}]


def _lines(text: str, unseen: Iterable[Attachment]) -> str:
    notes = [_note(item) for item in unseen]
    return "\n".join([text, *notes] if text else notes)


def _text_part(text: str) -> Iterator[Wire]:
    if text:
        yield {"type": "text", "text": text}


def _note(item: Attachment, why: str = "") -> str:
    named = f"attached: {item.name or Path(item.path).name}, {item.mime}, at {item.path}"
    return f"[{named}; not shown: {why}]" if why else f"[{named}]"


def _image_parts(attachments: Iterable[Attachment]) -> Iterator[Wire]:
    """One that no service would take is named instead: it would be refused in every later round, too."""
    for item in filter(_is_image, attachments):
        try:
            picture = seen(item)
        except ToolError as error:
            yield from _text_part(_note(item, str(error)))
            continue
        data = base64.b64encode(picture.data).decode()
        yield {"type": "image_url", "image_url": {"url": f"data:{picture.kind.mime};base64,{data}"}}


def _is_image(item: Attachment) -> bool:
    return item.mime.startswith("image/")
