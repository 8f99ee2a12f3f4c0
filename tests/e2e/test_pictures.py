"""Pictures from the service that the command line names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ankita_desktop.assembly import Options, ProcessSettings, assemble
from ankita_desktop.store.secrets import Secrets
from ankita_desktop.toolkit import ToolContext, image_service
from ankita_desktop.toolkit.process import Jobs
from tests.terminal.shell import inside as ankita
from tests.tools.site import Answer, serving
from tests.tools.test_images import gives, png

DRAW = {"name": "image_generate", "arguments": '{"prompt": "fox"}'}


def test_the_service_and_the_key_of_the_command_line_make_the_pictures_too(tmp_path: Path) -> None:
    with serving("127.0.0.1") as service:
        gives(service, png())
        turns = iter([{"name": "find_tools", "arguments": '{"query": "draw a picture"}'}, DRAW])
        service.pages["/v1/chat/completions"] = lambda *_: chat(next(turns, None))
        done = ankita(
            *("-p", "draw a fox", "--json", "--yes", "--base-url", f"{service.url}/v1", "--api-key", "sk-line"),
            *("--model", "m"),
            cwd=tmp_path,
        )
        assert done.json["calls"][-1]["ok"], done.out
        asked = next(seen for seen in service.seen if seen[1] == "/v1/images/generations")
        assert asked[2]["authorization"] == "Bearer sk-line"
    assert (tmp_path / "fox.png").read_bytes() == png()


def test_a_key_that_is_stored_for_another_service_is_not_sent_to_that_of_the_command_line(
    tmp_path: Path,
) -> None:
    stored = Secrets()
    stored.set("OPENAI_API_KEY", "sk-stored")
    app = assemble(Options(cwd=str(tmp_path), base_url="http://127.0.0.1:9/v1"))
    try:
        settings = ProcessSettings(app.settings, app.options)
        ctx = ToolContext(tmp_path, Jobs(), settings=settings.as_dict(), services=app.services)
        at = image_service.service(ctx)
        assert (at.address.url, at.key) == ("http://127.0.0.1:9/v1", "")
    finally:
        app.close()


def chat(call: dict[str, str] | None) -> Answer:
    """A streamed answer with one call, or with words."""
    said: dict[str, Any] = {"content": "Here it is."}
    if call:
        said = {"tool_calls": [{"index": 0, "id": call["name"], "type": "function", "function": call}]}
    finish = "tool_calls" if call else "stop"
    choice = {"index": 0, "delta": {"role": "assistant", **said}, "finish_reason": finish}
    body = f"data: {json.dumps({'choices': [choice]})}\n\ndata: [DONE]\n\n"
    return 200, {"content-type": "text/event-stream"}, body.encode()
