"""The images family: pictures from a service, stock pictures with their makers' names, and files that are safe."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from ankita_desktop.protocol import Approved, Decision
from ankita_desktop.safety.checkpoints import CheckpointStore
from ankita_desktop.toolkit import ToolContext, ToolError, image_service, stock
from ankita_desktop.toolkit.pictures import kind_of, stem
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from ankita_desktop.toolkit.untrusted import unframed
from tests.tools.calls import call, tool
from tests.tools.github_api import Keys
from tests.tools.site import PUBLIC, Site, public, serving


def png(width: int = 4, height: int = 3) -> bytes:
    """A whole PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\x20\x80\x20" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"
    + b"\xff\xc0\x00\x11\x08\x00\x20\x00\x40"
    + b"\0" * 20
)
GIF = b"GIF89a" + struct.pack("<HH", 7, 5) + b"\0" * 10
WEBP = b"RIFF\x30\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + b"\x1f\0\0" + b"\x0f\0\0" + b"\0" * 8


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    public(monkeypatch, "pictures.example")
    with serving(PUBLIC) as served:
        yield served


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The person's own images service, on this machine."""
    with serving("127.0.0.1") as served:
        yield served


def context(folder: Path, base: str = "", approved: Approved | None = None, **keys: str) -> ToolContext:
    undo = CheckpointStore(folder.parent / "undo")
    services = Services(secrets=Keys(**keys), checkpoints=undo)
    settings = {"images": {"base_url": base, "model": ""}, "model": {"base_url": ""}}
    return ToolContext(folder, Jobs(), settings=settings, services=services, approved=approved)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


def gives(service: Site, *pictures: bytes, path: str = "/v1/images/generations") -> None:
    rows = [{"b64_json": base64.b64encode(each).decode()} for each in pictures]
    service.page(path, json.dumps({"created": 1, "data": rows}), "application/json")


# --- making pictures ------------------------------------------------------------------------


def test_a_picture_is_made_saved_under_a_name_from_the_words_and_shown(service: Site, folder: Path) -> None:
    gives(service, png(8, 6))
    ctx = context(folder, f"{service.url}/v1", IMAGES_API_KEY="k-1")
    result = call("image_generate", ctx, prompt="A red fox, in the snow!", size="1024x1536")
    file = folder / "a-red-fox-in-the-snow.png"
    assert file.read_bytes() == png(8, 6) and "a-red-fox-in-the-snow.png (8×6 PNG" in result.text
    assert [(a.path, a.mime) for a in result.attachments] == [(str(file), "image/png")]
    method, _path, headers, body = service.seen[0]
    assert (method, headers["authorization"]) == ("POST", "Bearer k-1")
    assert json.loads(body) == {"model": "gpt-image-1", "prompt": "A red fox, in the snow!", "size": "1024x1536"}
    assert result.details["checkpoint"]


def test_nothing_is_ever_overwritten_and_several_get_names_of_their_own(service: Site, folder: Path) -> None:
    (folder / "Fox.PNG").write_text("mine")  # the same name on some systems
    (folder / "fox-2.png").write_text("mine, too")
    gives(service, png(), png(5, 5))
    call("image_generate", context(folder, f"{service.url}/v1"), prompt="fox", count=2)
    assert sorted(p.name for p in folder.iterdir()) == ["Fox.PNG", "fox-2.png", "fox-3.png", "fox-4.png"]
    assert (folder / "Fox.PNG").read_text() == "mine" and (folder / "fox-2.png").read_text() == "mine, too"


def test_an_answer_by_address_is_fetched(service: Site, folder: Path) -> None:
    url = service.page("/files/1.png", png(), "image/png")
    service.page("/v1/images/generations", json.dumps({"data": [{"url": url}]}), "application/json")
    call("image_generate", context(folder, f"{service.url}/v1"), prompt="fox")
    assert (folder / "fox.png").read_bytes() == png()
    assert "authorization" not in service.seen[-1][2]


def test_an_answer_by_address_may_not_lead_to_another_place_of_this_machine(service: Site, folder: Path) -> None:
    with serving("127.0.0.1") as other:
        url = other.page("/secret.png", png(), "image/png")
        service.page("/v1/images/generations", json.dumps({"data": [{"url": url}]}), "application/json")
        with pytest.raises(ToolError, match="nobody has allowed"):
            call("image_generate", context(folder, f"{service.url}/v1"), prompt="fox")
        assert other.seen == [] and list(folder.iterdir()) == []


def test_what_it_is_counts_not_what_it_is_called(service: Site, folder: Path) -> None:
    gives(service, JPEG)
    call("image_generate", context(folder, f"{service.url}/v1"), prompt="fox", name="../../x/fox.png")
    assert [p.name for p in folder.iterdir()] == ["fox.jpg"]


def test_pictures_are_changed_by_sending_them_along(service: Site, folder: Path) -> None:
    (folder / "room.png").write_bytes(png(9, 9))
    (folder / "mask.png").write_bytes(png(9, 9))
    gives(service, png(), path="/v1/images/edits")
    ctx = context(folder, f"{service.url}/v1")
    args: dict[str, Any] = {"prompt": "paint the wall", "images": ["room.png"], "mask": "mask.png", "name": "blue"}
    shown = tool("image_generate").preview(args, ctx)
    assert str(folder / "room.png") in shown.text and shown.grant_key == ""
    call("image_generate", ctx, **args)
    _, path, headers, body = service.seen[0]
    assert path == "/v1/images/edits" and headers["content-type"].startswith("multipart/form-data; boundary=")
    assert b'name="image"; filename="picture-1.png"' in body and b'name="mask"' in body and png(9, 9) in body
    assert b'name="prompt"\r\n\r\npaint the wall\r\n' in body and (folder / "blue.png").exists()


def test_only_pictures_are_sent_along(service: Site, folder: Path) -> None:
    (folder / "key.png").write_text("-----BEGIN PRIVATE KEY-----")
    with pytest.raises(ToolError, match=r"key\.png gave is something else"):
        call("image_generate", context(folder, f"{service.url}/v1"), prompt="x", images=["key.png"])
    with pytest.raises(ToolError, match=r"no picture gone\.png"):
        call("image_generate", context(folder, f"{service.url}/v1"), prompt="x", images=["gone.png"])
    assert service.seen == []


def test_the_question_shows_the_words_the_service_and_the_place(service: Site, folder: Path) -> None:
    args = {"prompt": "A very\nlong wish", "count": 3}
    ctx = context(folder, f"{service.url}/v1")
    shown = tool("image_generate").preview(args, ctx)
    assert tool("image_generate").approval_for(args, ctx) == "ask"
    assert shown.question == f"Make 3 pictures with gpt-image-1 at {service.url[7:]}?" and shown.effect == "send"
    assert "A very\nlong wish" in shown.text and f"{folder}/a-very-long-wish.*" in shown.text
    assert service.seen == []


@pytest.mark.parametrize(
    ("settings", "keys", "base", "key"),
    [
        ({}, {"OPENAI_API_KEY": "k"}, "https://api.openai.com/v1", "k"),
        ({"model": {"base_url": "http://127.0.0.1:1/v1"}}, {"OPENAI_API_KEY": "k"}, "http://127.0.0.1:1/v1", "k"),
        (
            {"images": {"base_url": "https://other.example/v1"}},
            {"OPENAI_API_KEY": "k"},
            "https://other.example/v1",
            "",
        ),
        (
            {"images": {"base_url": "https://other.example/v1"}},
            {"OPENAI_API_KEY": "k", "IMAGES_API_KEY": "i"},
            "https://other.example/v1",
            "i",
        ),
        ({}, {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://b.example/v1"}, "https://b.example/v1", "k"),
    ],
)
def test_a_key_goes_only_to_the_service_it_was_stored_for(
    settings: dict[str, Any], keys: dict[str, str], base: str, key: str
) -> None:
    ctx = ToolContext(Path("/"), Jobs(), settings=settings, services=Services(secrets=Keys(**keys)))
    at = image_service.service(ctx)
    assert (at.address.url, at.key) == (base, key)


def test_without_a_service_it_says_what_to_set_up(folder: Path) -> None:
    with pytest.raises(ToolError, match="OPENAI_API_KEY"):
        tool("image_generate").preview({"prompt": "x"}, context(folder))


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (400, {"error": {"message": "Your prompt was rejected by the safety system."}}, "safety system"),
        (401, {"error": {"message": "Incorrect API key"}}, "refused the key"),
        (404, {"error": {"message": "no such route"}}, "images.base_url"),
        (429, {"error": {"message": "slow down"}}, "no more pictures for now"),
        (500, {}, "status 500"),
        (200, {"data": []}, "gave no picture"),
        (200, {"data": [{"b64_json": "bm90IGEgcGljdHVyZQ=="}]}, "not a PNG"),
        (200, {"data": [{"b64_json": "%%%"}]}, "gave is empty|can't be decoded"),
    ],
)
def test_a_service_that_refuses_is_named_and_nothing_is_written(
    service: Site, folder: Path, status: int, body: Any, says: str
) -> None:
    service.pages["/v1/images/generations"] = (
        status,
        {"content-type": "application/json"},
        json.dumps(body).encode(),
    )
    with pytest.raises(ToolError, match=says) as caught:
        call("image_generate", context(folder, f"{service.url}/v1"), prompt="fox")
    assert "127.0.0.1" in str(caught.value) and list(folder.iterdir()) == []


# --- stock pictures -------------------------------------------------------------------------


@pytest.fixture
def unsplash(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(stock, "UNSPLASH", site.url)
    full, small = site.page("/photo-1", JPEG, "image/jpeg"), site.page("/small-1", JPEG, "image/jpeg")
    site.page("/photos/1/download", '{"url": "x"}', "application/json")
    row = {
        "id": "1",
        "alt_description": "red fox on snow",
        "width": 64,
        "height": 32,
        "urls": {"full": f"{full}?ixid=1&q=85", "small": f"{small}?w=400"},
        "links": {
            "html": "https://unsplash.com/photos/1",
            "download_location": f"{site.url}/photos/1/download?ixid=1",
        },
        "user": {"name": "Ann Example"},
    }
    site.page("/search/photos", json.dumps({"total": 1, "results": [row]}), "application/json")
    return site


def test_unsplash_gives_photos_with_small_pictures_and_credits(unsplash: Site, folder: Path) -> None:
    result = call(
        "unsplash_search", context(folder, UNSPLASH_ACCESS_KEY="u-1"), query="red fox", orientation="vertical"
    )
    text = unframed(result.text)
    assert (
        "red fox on snow (64×32)" in text
        and "Photo by Ann Example on Unsplash (https://unsplash.com/photos/1?utm" in text
    )
    assert result.details["untrusted"]["source"] == "unsplash.com"
    (small,) = result.attachments
    assert Path(small.path).read_bytes() == JPEG and small.mime == "image/jpeg"
    _, target, headers, _ = unsplash.seen[0]
    assert headers["authorization"] == "Client-ID u-1"
    assert parse_qs(urlsplit(target).query)["orientation"] == ["portrait"]
    assert "authorization" not in unsplash.seen[-1][2]  # the pictures' own server gets no key


def test_a_download_tells_unsplash_and_says_whom_to_credit(unsplash: Site, folder: Path) -> None:
    ctx = context(folder, UNSPLASH_ACCESS_KEY="u-1")
    url = call("unsplash_search", ctx, query="red fox").details["results"][0]["url"]
    shown = tool("image_download").preview({"url": url}, ctx)
    assert "Photo by Ann Example" in shown.text and unsplash.asked("/photos/1/download?ixid=1") == 0
    result = call("image_download", ctx, url=url)
    assert unsplash.asked("/photos/1/download?ixid=1") == 1
    assert (folder / "red-fox-on-snow.jpg").read_bytes() == JPEG
    assert "Credit: Photo by Ann Example on Unsplash" in result.text and result.attachments[0].mime == "image/jpeg"


def test_the_key_is_told_to_nobody_but_unsplash(
    unsplash: Site, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx = context(folder, UNSPLASH_ACCESS_KEY="u-1")
    url = call("unsplash_search", ctx, query="red fox").details["results"][0]["url"]
    monkeypatch.setattr(
        stock, "UNSPLASH", "https://api.unsplash.example"
    )  # the stored address is now a stranger's
    assert "could not be told" in call("image_download", ctx, url=url).text
    assert unsplash.asked("/photos/1/download?ixid=1") == 0


def test_the_same_search_within_a_day_is_not_asked_again(unsplash: Site, folder: Path) -> None:
    ctx = context(folder, UNSPLASH_ACCESS_KEY="u-1")
    for _ in range(3):
        call("unsplash_search", ctx, query="red fox")
    assert sum(path.startswith("/search") for _, path, _, _ in unsplash.seen) == 1


@pytest.fixture
def pixabay(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(stock, "PIXABAY", f"{site.url}/api/")
    site.page("/w.png", png(), "image/png")
    rows = [
        {
            "tags": "fox, snow",
            "largeImageURL": f"{site.url}/l{n}.png",
            "webformatURL": f"{site.url}/w.png",
            "pageURL": "https://pixabay.com/photos/1",
            "user": "bo",
            "imageWidth": 40,
            "imageHeight": 30,
        }
        for n in range(3)
    ]
    site.page("/api/", json.dumps({"hits": rows}), "application/json")
    return site


def test_pixabay_gives_pictures_of_the_wanted_kind(pixabay: Site, folder: Path) -> None:
    ctx = context(folder, PIXABAY_API_KEY="p-1")
    result = call("pixabay_search", ctx, query="fox", kind="vector", count=2)
    assert result.details["count"] == 2 and "Image by bo on Pixabay" in result.text
    asked = parse_qs(urlsplit(pixabay.seen[0][1]).query)
    assert asked["image_type"] == ["vector"] and asked["safesearch"] == ["true"] and asked["key"] == ["p-1"]
    assert "p-1" not in result.text + json.dumps(result.details)


@pytest.mark.parametrize("name", ["unsplash_search", "pixabay_search"])
def test_a_missing_key_is_named(name: str, folder: Path) -> None:
    with pytest.raises(ToolError, match="_KEY"):
        call(name, context(folder), query="fox")


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (400, b"[ERROR 400] Invalid or missing API key", "stored key"),
        (429, b"", "no more searches"),
        (500, b"", "500"),
    ],
)
def test_a_stock_service_that_refuses_is_named_without_its_key(
    pixabay: Site, folder: Path, status: int, body: bytes, says: str
) -> None:
    pixabay.pages["/api/"] = (status, {}, body)
    with pytest.raises(ToolError, match=says) as caught:
        call("pixabay_search", context(folder, PIXABAY_API_KEY="p-1"), query="fox")
    assert "p-1" not in str(caught.value) and "127.0.0.2" in str(caught.value)


# --- downloading ----------------------------------------------------------------------------


def test_a_picture_of_the_web_is_saved_by_its_own_name(site: Site, folder: Path) -> None:
    url = site.page("/a/My%20Cat.jpeg", png(), "image/jpeg")
    result = call("image_download", context(folder), url=url, folder="pictures")
    assert (folder / "pictures" / "my-cat.png").read_bytes() == png()
    assert "pictures/my-cat.png (4×3 PNG" in result.text


@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        (b"<!DOCTYPE html><html>Log in</html>", "image/png", "a web page"),
        (b"<svg xmlns='x'><script>1</script></svg>", "image/svg+xml", "may hold programs"),
        (b"MZ\x90\0" + b"\0" * 200, "image/png", "something else"),
        (b"", "image/png", "empty"),
    ],
)
def test_what_is_no_picture_is_not_kept(site: Site, folder: Path, body: bytes, kind: str, says: str) -> None:
    with pytest.raises(ToolError, match=says):
        call("image_download", context(folder), url=site.page("/x.png", body, kind))
    assert list(folder.iterdir()) == []


def test_what_is_too_large_is_not_kept(site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ankita_desktop.toolkit import changes, pictures

    monkeypatch.setattr(changes, "LARGEST", 5000)
    monkeypatch.setattr(pictures, "LARGEST", 5000)
    with pytest.raises(ToolError, match="larger than"):
        call("image_download", context(folder), url=site.page("/x.png", png() + b"\0" * 9000, "image/png"))
    assert list(folder.iterdir()) == []


def test_this_machine_is_asked_about_by_name_and_read_only_after_a_yes(service: Site, folder: Path) -> None:
    url = service.page("/x.png", png(), "image/png")
    ctx = context(folder)
    shown = tool("image_download").preview({"url": url}, ctx)
    assert "this machine" in shown.where and not shown.inside and shown.effect == "send" and shown.grant_key == ""
    with pytest.raises(ToolError, match="nobody has allowed"):
        call("image_download", ctx, url=url)
    call("image_download", context(folder, approved=Approved(shown, Decision(allow=True))), url=url)
    assert (folder / "x.png").exists()


def test_a_protected_place_is_asked_about_every_time(site: Site, folder: Path, ankita_home: Path) -> None:
    args = {"url": site.url, "folder": str(ankita_home / ".ssh")}
    assert tool("image_download").approval_for(args, context(folder)) == "always"
    assert tool("image_download").preview(args, context(folder)).grant_key == ""


def test_a_file_is_no_folder(site: Site, folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    with pytest.raises(ToolError, match="not a folder"):
        call("image_download", context(folder), url=site.url, folder="a.txt")


# --- names and kinds ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("A red fox!", "a-red-fox"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "con-picture"),
        ("…", "picture"),
        ("Füchse im Schnee", "füchse-im-schnee"),
        ("word " * 40, "word-word-word-word-word-word-word-word-word"),
        ("x" * 300, "x" * 48),
        ("a\0b\nc:d|e", "a-b-c-d-e"),
    ],
)
def test_names_are_plain_on_every_system(words: str, name: str) -> None:
    assert stem(words) == name


@pytest.mark.parametrize(
    ("data", "kind", "size"),
    [
        (png(4, 3), "image/png", (4, 3)),
        (JPEG, "image/jpeg", (64, 32)),
        (GIF, "image/gif", (7, 5)),
        (WEBP, "image/webp", (32, 16)),
        (b"\0\0\0\x20ftypavif" + b"\0" * 20, "image/avif", (0, 0)),
    ],
)
def test_pictures_are_known_by_their_bytes(data: bytes, kind: str, size: tuple[int, int]) -> None:
    found = kind_of(data)
    assert found is not None and (found.mime, found.width, found.height) == (kind, *size)


@pytest.mark.parametrize("data", [png(), JPEG, GIF, WEBP], ids=["png", "jpeg", "gif", "webp"])
def test_a_picture_that_ends_anywhere_is_never_a_crash(data: bytes) -> None:
    for end in range(len(data)):
        kind_of(data[:end])
        kind_of(data[:end] + b"\xff" * 64)


def test_undo_takes_a_made_picture_away_again(service: Site, folder: Path) -> None:
    gives(service, png())
    ctx = context(folder, f"{service.url}/v1")
    result = call("image_generate", ctx, prompt="fox")
    undo = ctx.services.checkpoints
    assert isinstance(undo, CheckpointStore)
    undo.restore(result.details["checkpoint"])
    assert list(folder.iterdir()) == []
