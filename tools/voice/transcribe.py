"""An audio file as text."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, VoiceError, need

name = "transcribe"
description = "Turn the speech in an audio file (wav, mp3, ogg, m4a, ...) into text with times."
parameters = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
approval = "ask"
read_only = True
keywords = ["transcribe", "speech to text", "what is said in", "recording to text", "voice memo"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    level = ctx.files.read_level(args["path"])
    host = need(ctx.services.voice, "Speech").recogniser_host()
    return "ask" if host and level == "never" else level


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    path = ctx.files.resolve(args["path"])
    host = need(ctx.services.voice, "Speech").recogniser_host()
    if host:
        return Preview("text", f"Send {path.name} to {host} to be transcribed?", "send", text=str(path))
    return Preview("text", f"Read {path.name} to transcribe it?", "read", text=str(path), grant_key=f"read:{path}")


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    path = ctx.files.resolve(args["path"])
    if not path.is_file():
        raise ToolError(f"There is no file {args['path']}. Look with list_dir or glob.")
    voice = need(ctx.services.voice, "Speech")
    ctx.progress("Listening to the file …")
    try:
        parts = voice.transcribe(path, ctx.cancel)
    except VoiceError as error:
        raise ToolError(str(error)) from error
    if not parts:
        return ToolResult(f"There are no words in {ctx.files.name(path)}.", {"path": str(path), "parts": []})
    lines = [f"[{_time(start)} – {_time(end)}] {text}" for start, end, text in parts]
    details = {"path": str(path), "parts": [[start, end, text] for start, end, text in parts]}
    return ToolResult("\n".join(lines), details)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds, 1), 60)
    return f"{int(minutes)}:{rest:04.1f}"
