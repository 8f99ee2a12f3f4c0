"""Documents as other programs write them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{full}:1.0"'
    for name, full in (("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"))
)


def pdf(path: Path, pages: Sequence[str], *, title: str = "") -> Path:
    """A page for each text; the title "" leaves it out."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), invariant=1)
    if title:
        canvas.setTitle(title)
    for text in pages:
        for number, line in enumerate(text.splitlines()):
            canvas.drawString(72, 760 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    return path


def jpeg(color: str = "white") -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (120, 160), color).save(out, "JPEG")
    return out.getvalue()


def scan(path: Path, *, pages: int = 1) -> Path:
    """Pages that are pictures, as a scanner makes them."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), invariant=1)
    for number in range(pages):
        file = path.with_name(f"scan{number}.jpg")
        file.write_bytes(jpeg(("white", "red", "green", "blue", "black", "gray")[number % 6]))
        canvas.drawImage(str(file), 0, 0, 595, 842)
        canvas.showPage()
        file.unlink()
    canvas.save()
    return path


def locked(path: Path, password: str) -> Path:
    from pypdf import PdfReader, PdfWriter

    pdf(path, ["secret words"])
    writer = PdfWriter(clone_from=PdfReader(path))
    writer.encrypt(password, algorithm="RC4-128")
    writer.write(path)
    return path


def word(path: Path) -> Path:
    import docx

    document = docx.Document()
    document.core_properties.title = "The plan"
    document.add_heading("Garden", level=1)
    document.add_paragraph("We plant what grows.")
    document.add_paragraph("carrots", style="List Bullet")
    document.add_heading("Costs", level=2)
    table = document.add_table(rows=2, cols=2)
    for row, values in zip(table.rows, (("What", "Euro"), ("Seeds | bulbs", "12")), strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    document.add_page_break()
    document.add_paragraph("The second page.")
    document.save(str(path))
    return path


def excel(path: Path) -> Path:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sales"
    for row in (
        ["Day", "Amount", "Paid"],
        [datetime(2024, 2, 29), 12.5, True],
        [datetime(2024, 3, 1, 8, 30), 7, False],
    ):
        sheet.append(row)
    sheet["E5"] = "=B2+B3"
    hidden = book.create_sheet("Notes")
    hidden["A1"] = "not for everybody"
    hidden.sheet_state = "hidden"
    book.save(path)
    return path


def slides(path: Path) -> Path:
    import pptx
    from pptx.util import Inches

    deck = pptx.Presentation()
    for title, text in (("Welcome", "to the garden"), ("Plan", "dig first")):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
    table = slide.shapes.add_table(1, 2, Inches(1), Inches(4), Inches(4), Inches(1)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "May", "June"
    slide.notes_slide.notes_text_frame.text = "Speak slowly."
    deck.save(str(path))
    return path


def odf(path: Path, kind: str, body: str) -> Path:
    mime = f"application/vnd.oasis.opendocument.{kind}"
    content = f"<office:document-content {_ODF}><office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return packed(path, {"mimetype": mime, "content.xml": f"{content}</office:document-content>"})


def epub(path: Path, chapters: Sequence[str]) -> Path:
    """Chapters named so that their order in the archive isn't their order in the book."""
    names = [f"c{len(chapters) - number}.xhtml" for number in range(len(chapters))]
    items = "".join(f'<item id="i{n}" href="text/{name}"/>' for n, name in enumerate(names))
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(names)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>A book</dc:title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    files = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "OEBPS/book.opf": package}
    texts = {f"OEBPS/text/{name}": text for name, text in zip(names, chapters, strict=True)}
    return packed(path, {**files, **dict(sorted(texts.items()))})


def packed(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path
