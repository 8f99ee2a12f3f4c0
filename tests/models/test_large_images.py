"""An image that no service takes never ends a conversation: it is named instead, in every later round."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.models.chat_request import LARGEST_IMAGE, messages
from ankita_desktop.protocol import Attachment, Message, ModelRequest


def test_an_oversize_image_is_named_and_not_sent(tmp_path: Path) -> None:
    large, small = tmp_path / "large.png", tmp_path / "small.png"
    large.write_bytes(b"\x89PNG\r\n\x1a\n" + b"0" * LARGEST_IMAGE)
    small.write_bytes(b"\x89PNG\r\n\x1a\n")
    files = tuple(Attachment(str(path), "image/png", path.name) for path in (large, small))
    request = ModelRequest("", (Message("user", "look", attachments=files),))
    wire = str(messages(request, vision=True))
    assert "the image large.png is too large to be sent" in wire
    assert wire.count("data:image/png;base64,") == 1
