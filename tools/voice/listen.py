"""Hear what the person says next."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Preview, ToolContext, ToolError, ToolResult, VoiceError, need

name = "listen"
description = "Turn on the microphone and return what the person says next. Only when they ask to be listened to."
parameters = {
    "type": "object",
    "properties": {"seconds": {"type": "number", "minimum": 1, "maximum": 60, "description": "to wait"}},
    "additionalProperties": False,
}
approval = "ask"
keywords = ["listen to me", "dictate", "dictation", "take a voice note", "microphone"]
WAIT = 10.0


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    host = need(ctx.services.voice, "Speech").recogniser_host()
    where = f"What you say is sent to {host}." if host else "What you say stays on this machine."
    return Preview("text", "Turn on the microphone until you have spoken?", text=where, grant_key="voice:listen")


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    voice = need(ctx.services.voice, "Speech")
    ctx.progress("Listening …")
    try:
        text = voice.listen(args.get("seconds", WAIT), ctx.cancel, ctx.progress)
    except VoiceError as error:
        raise ToolError(f"{error} Ask the person to type instead.") from error
    return ToolResult(text or "Nothing was said.", {"heard": text})
