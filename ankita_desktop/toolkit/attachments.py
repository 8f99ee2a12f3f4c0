"""Files that go with a message: whom the person let read them, and their pictures as models take them."""

from __future__ import annotations

import io
import mimetypes
import struct
import warnings
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Attachment, Message, Preview
from ankita_desktop.toolkit import places
from ankita_desktop.toolkit.pictures import Kind, Picture, kind_of

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST = 2048  # pixels of the longer side; services scale larger ones down themselves, and bill or refuse them
LARGEST = 3_500_000  # bytes of a picture that every service takes, also written as base64
READ = 128 << 20  # bytes of a picture that is opened at all
AREA = 200_000_000  # pixels of one that is decoded
_TAKEN = ("image/png", "image/jpeg", "image/gif", "image/webp")
# What a damaged file makes of its reader.
_BROKEN: tuple[type[Exception], ...] = (
    *(ArithmeticError, AttributeError, EOFError, LookupError, OSError, SyntaxError, TypeError, ValueError),
    *(RuntimeError, struct.error, zlib.error),
)
_UNKNOWN = "application/octet-stream"


def attachment(path: str | Path) -> Attachment:
    """A file of this machine as it goes with a message."""
    file = Path(path).expanduser().absolute()
    return Attachment(str(file), mimetypes.guess_type(file.name)[0] or _UNKNOWN, file.name)


def settled(item: Attachment) -> Attachment:
    """The same with its real path, so that nothing else can be slipped under it, and as the kind of picture that
    its bytes are, whatever its name says."""
    path = places.real(Path(item.path))
    kind = _kind(path)
    return Attachment(str(path), kind.mime if kind else item.mime, item.name)


def consent(path: Path) -> str:
    """What stands in ``covered_by`` of a question that is about reading this very file (a real path)."""
    return f"read-file:{path}"


def handed_over(preview: Preview, messages: Sequence[Message]) -> bool:
    """Whether all that is to be read is a file that the person attached to this conversation."""
    said = (message for message in messages if message.role == "user")
    given = {consent(Path(item.path)) for message in said for item in message.attachments}
    return preview.effect == "read" and not given.isdisjoint(preview.covered_by)


# --- pictures for models --------------------------------------------------------------------


def seen(item: Attachment) -> Picture:
    """A picture of a kind and size that no service refuses, in this round or a later one. The same file gives the
    same bytes, so that a conversation goes on as it was. Raises ``ToolError`` that says why it can't be shown."""
    path = Path(item.path)
    try:
        about = path.stat()
    except OSError:
        raise ToolError("it is no longer there") from None
    if about.st_size > READ:
        raise ToolError("it is too large")
    found = _seen(path, about.st_mtime_ns, about.st_size)
    if isinstance(found, str):
        raise ToolError(found)
    return found


def _kind(path: Path) -> Kind | None:
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return kind_of(file.read(4096))
    except OSError:
        return None


@lru_cache(maxsize=32)
def _seen(path: Path, _changed: int, _size: int) -> Picture | str:
    """The picture, or why there is none: both are remembered, since every round asks again."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return f"it can't be read: {error.strerror}"
    try:
        return _fitted(data)
    except ModuleNotFoundError:  # nothing here can scale pictures
        return _as_it_is(data)
    except ToolError as error:
        return str(error)


def _as_it_is(data: bytes) -> Picture | str:
    kind = kind_of(data)
    if kind is None or kind.mime not in _TAKEN:
        return "models take PNG, JPEG, GIF and WebP pictures only"
    return Picture(data, kind) if len(data) <= LARGEST else "it is too large"


def _fitted(data: bytes) -> Picture:
    """The picture as it is where that can be sent, else made smaller or of another kind."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # the area is looked at here, and refused in our words
    warnings.filterwarnings("ignore", module=r"PIL\.")  # of what is damaged we tell ourselves
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > AREA:
                raise ToolError("it is too large")
            image.draft("RGB", (LONGEST, LONGEST))  # a JPEG is decoded at a fraction of its size
            image.load()
            kind = kind_of(data)
            fits = kind is not None and max(kind.width, kind.height) <= LONGEST and len(data) <= LARGEST
            if kind is not None and kind.mime in _TAKEN and fits:
                return Picture(data, kind)
            upright = ImageOps.exif_transpose(image)
            upright.thumbnail((LONGEST, LONGEST))
            return _written(upright)
    except UnidentifiedImageError:
        raise ToolError("it is no picture that can be read") from None
    except _BROKEN as error:
        raise ToolError(f"it is damaged ({error})") from None


def _written(image: Image) -> Picture:
    """Without loss where that is small enough: text stays sharp."""
    plain = image if image.mode in ("RGB", "RGBA", "L") else image.convert("RGBA" if _clear(image) else "RGB")
    for form, facts in (("PNG", {"optimize": True}), ("JPEG", {"quality": 85}), ("JPEG", {"quality": 50})):
        out = io.BytesIO()
        (plain.convert("RGB") if form == "JPEG" else plain).save(out, form, **facts)
        kind = kind_of(out.getvalue())
        if kind is not None and out.tell() <= LARGEST:
            return Picture(out.getvalue(), kind)
    raise ToolError("it is too large")


def _clear(image: Image) -> bool:
    return image.mode in ("LA", "PA", "La") or "transparency" in image.info
