"""Say something aloud."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult, VoiceError, need

name = "speak"
description = "Say a text aloud through the person's loudspeaker, when they ask for it."
parameters = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1}},
    "required": ["text"],
    "additionalProperties": False,
}
approval = "never"
keywords = ["say aloud", "read aloud", "out loud", "pronounce", "text to speech"]


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    voice = need(ctx.services.voice, "Speech")
    try:
        voice.say(args["text"], ctx.cancel)
    except VoiceError as error:
        raise ToolError(f"It could not be said aloud: {error} Give the text in your answer instead.") from error
    return ToolResult("Said aloud.", {"text": args["text"]})
