"""The only part of the product that a tool imports."""

from ankita_desktop.errors import Cancelled, ToolError, VoiceError
from ankita_desktop.protocol import Attachment, FileChange, Level, Preview, ToolResult
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.services import need

__all__ = [
    "Attachment",
    "Cancel",
    "Cancelled",
    "FileChange",
    "Level",
    "Preview",
    "ToolContext",
    "ToolError",
    "ToolResult",
    "VoiceError",
    "need",
]
