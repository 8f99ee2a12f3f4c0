"""Pictures as models take them: whatever a person attaches or a tool returns, no service refuses it."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from ankita_desktop.models.chat_request import messages
from ankita_desktop.protocol import Attachment, Message, ModelRequest
from ankita_desktop.toolkit import ToolError, attachments
from ankita_desktop.toolkit.attachments import LARGEST, LONGEST, attachment, seen, settled
from ankita_desktop.toolkit.pictures import kind_of


def saved(path: Path, size: tuple[int, int] = (60, 40), mode: str = "RGB", **facts: Any) -> Attachment:
    Image.new(mode, size).save(path, **facts)
    return settled(attachment(path))


def noise(path: Path, size: tuple[int, int]) -> Attachment:
    Image.effect_noise(size, 90).convert("RGB").save(path)
    return settled(attachment(path))


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.gif", "a.webp"])
def test_a_picture_that_every_service_takes_is_sent_as_it_is(tmp_path: Path, name: str) -> None:
    item = saved(tmp_path / name)
    picture = seen(item)
    assert picture.data == (tmp_path / name).read_bytes() and picture.kind.mime == item.mime


@pytest.mark.parametrize("name", ["a.bmp", "a.tiff", "a.avif", "a.ico"])
def test_a_kind_that_services_refuse_becomes_one_they_take(tmp_path: Path, name: str) -> None:
    assert seen(saved(tmp_path / name)).kind.mime == "image/png"


@pytest.mark.parametrize(
    ("size", "wanted"), [((4096, 2048), (LONGEST, LONGEST // 2)), ((900, 9000), (205, LONGEST))]
)
@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp"])
def test_a_large_picture_is_made_smaller_and_keeps_its_shape(
    tmp_path: Path, name: str, size: tuple[int, int], wanted: tuple[int, int]
) -> None:
    kind = seen(saved(tmp_path / name, size)).kind
    assert max(kind.width, kind.height) <= LONGEST
    assert (kind.width, kind.height) == pytest.approx(wanted, abs=8)


def test_a_picture_of_many_bytes_is_sent_with_fewer(tmp_path: Path) -> None:
    item = noise(tmp_path / "a.png", (2000, 1900))
    assert Path(item.path).stat().st_size > LARGEST
    assert len(seen(item).data) <= LARGEST


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "CMYK"])
def test_no_way_of_keeping_colours_stops_a_large_picture(tmp_path: Path, mode: str) -> None:
    name = "a.jpg" if mode == "CMYK" else "a.png"
    assert seen(saved(tmp_path / name, (2600, 100), mode)).kind.width == LONGEST


def test_what_lies_on_its_side_for_a_camera_is_upright_for_a_model(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    kind = seen(saved(tmp_path / "a.jpg", (4000, 2000), exif=exif)).kind
    assert kind.height > kind.width


def test_the_same_picture_gives_the_same_bytes_in_every_round(tmp_path: Path) -> None:
    item = noise(tmp_path / "a.png", (2500, 300))
    first = seen(item).data
    attachments._seen.cache_clear()
    assert seen(item).data == first


def test_a_changed_file_is_looked_at_anew(tmp_path: Path) -> None:
    item = saved(tmp_path / "a.png", (10, 10))
    assert seen(item).kind.width == 10
    saved(tmp_path / "a.png", (20, 10))
    assert seen(item).kind.width == 20


def test_a_wrong_name_does_not_send_a_wrong_kind(tmp_path: Path) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "a", "JPEG")
    (tmp_path / "a").rename(tmp_path / "a.png")
    item = settled(attachment(tmp_path / "a.png"))
    assert item.mime == "image/jpeg" and seen(item).kind.mime == "image/jpeg"


def broken(path: Path) -> bytes:
    out = io.BytesIO()
    Image.effect_noise((300, 300), 90).save(out, "PNG" if path.suffix == ".png" else "JPEG")
    return out.getvalue()[: out.tell() // 2]


BAD = {
    "cut.png": (broken, "damaged"),
    "cut.jpg": (broken, "damaged"),
    "text.png": (lambda _: b"just words", "no picture"),
    "none.png": (lambda _: b"", "no picture"),
    "drawing.svg": (lambda _: b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no picture"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_can_not_be_shown_is_named_with_the_reason_and_its_place(tmp_path: Path, name: str) -> None:
    make, why = BAD[name]
    (tmp_path / name).write_bytes(make(tmp_path / name))
    item = attachment(tmp_path / name)
    with pytest.raises(ToolError, match=why):
        seen(item)
    wire = str(sent(item))
    assert "base64" not in wire and name in wire and why in wire and str(tmp_path) in wire


def test_a_picture_that_is_larger_than_a_house_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "AREA", 100)
    with pytest.raises(ToolError, match="too large"):
        seen(saved(tmp_path / "a.png"))


def test_a_file_that_is_huge_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachments, "READ", 10)
    with pytest.raises(ToolError, match="too large"):
        seen(saved(tmp_path / "a.png"))


def test_without_a_library_for_pictures_only_what_is_small_and_known_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, odd, large = (
        saved(tmp_path / "a.png"),
        saved(tmp_path / "a.bmp"),
        noise(tmp_path / "b.png", (2000, 1900)),
    )
    monkeypatch.setitem(sys.modules, "PIL", None)
    attachments._seen.cache_clear()
    assert seen(small).kind.mime == "image/png"
    for item in (odd, large):
        with pytest.raises(ToolError):
            seen(item)
    attachments._seen.cache_clear()


def sent(*items: Attachment) -> list[Any]:
    """The parts of a message with these files, for a model that sees."""
    content = messages(ModelRequest("", (Message("user", "look", attachments=items),)), vision=True)[0]["content"]
    return content if isinstance(content, list) else [content]


def test_one_message_holds_what_can_be_shown_and_what_can_not(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"x")
    parts = sent(saved(tmp_path / "ok.png"), attachment(tmp_path / "bad.png"), attachment(tmp_path / "a.pdf"))
    assert [part["type"] for part in parts] == ["text", "image_url", "text"]
    assert "a.pdf" in parts[0]["text"] and "bad.png" in parts[2]["text"]


def test_a_file_is_kept_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    item = settled(attachment(tmp_path / "link.txt"))
    assert (Path(item.path).name, item.name, item.mime) == ("a.txt", "link.txt", "text/plain")


def test_the_kinds_are_told_by_content() -> None:
    out = io.BytesIO()
    Image.new("RGB", (3, 2)).save(out, "WEBP")
    kind = kind_of(out.getvalue())
    assert kind is not None and (kind.mime, kind.width, kind.height) == ("image/webp", 3, 2)
