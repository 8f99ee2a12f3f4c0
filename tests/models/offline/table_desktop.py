"""Sentences about documents, archives, the desktop and the machine, with the call that each must become."""

from __future__ import annotations

from typing import Any

Row = tuple[str, dict[str, Any], list[str]]

DOCUMENTS: list[Row] = [
    (
        "read_document",
        {"path": "report.pdf"},
        [
            "read report.pdf",
            "Could you read the PDF report.pdf to me?",
            "what's in report.pdf",
            "what does the file report.pdf say?",
            "show me the text of report.pdf",
            "extract the text from report.pdf",
            "have a look at report.pdf please",
        ],
    ),
    (
        "read_document",
        {"path": "Documents/My budget.xlsx"},
        [
            "read 'Documents/My budget.xlsx'",
            "what's in the spreadsheet 'Documents/My budget.xlsx'?",
            'show me "Documents/My budget.xlsx"',
            "show what 'Documents/My budget.xlsx' contains",
            "let me see 'Documents/My budget.xlsx'",
        ],
    ),
    (
        "read_document",
        {"path": "report.pdf", "pages": "3-3"},
        [
            "read page 3 of report.pdf",
            "show me page three of report.pdf",
            "what's on page 3 of report.pdf?",
            "what does page 3 of report.pdf say",
            "page 3 of report.pdf please",
        ],
    ),
    (
        "read_document",
        {"path": "talk.pptx", "pages": "2-5"},
        [
            "read slides 2 to 5 of talk.pptx",
            "show me slides 2 to 5 of talk.pptx",
            "show slides 2 through 5 from talk.pptx",
            "what's on slides 2 to 5 of talk.pptx?",
            "slides 2 to 5 of talk.pptx",
        ],
    ),
]

ARCHIVES: list[Row] = [
    (
        "archive",
        {"action": "list", "path": "photos.zip"},
        [
            "what's in photos.zip",
            "list the contents of photos.zip",
            "show me the files in photos.zip",
            "what does the archive photos.zip contain?",
            "which files are in photos.zip",
            "open the archive photos.zip",
        ],
    ),
    (
        "archive",
        {"action": "extract", "path": "photos.zip"},
        [
            "unzip photos.zip",
            "extract photos.zip",
            "unpack the archive photos.zip please",
            "decompress photos.zip",
            "extract everything from photos.zip",
            "could you unzip the file photos.zip?",
        ],
    ),
    (
        "archive",
        {"action": "extract", "path": "src.tar.gz", "destination": "build"},
        [
            "extract src.tar.gz into build",
            "unpack src.tar.gz to the folder build",
            "untar src.tar.gz into the build folder",
            "extract all files from src.tar.gz into build",
            "unpack the tarball src.tar.gz into build",
        ],
    ),
    (
        "archive",
        {"action": "create", "path": "src"},
        [
            "zip the folder src",
            "compress the src folder",
            "zip up src",
            "make a zip of src",
            "create an archive of the folder src",
            "archive the folder src",
        ],
    ),
    (
        "archive",
        {"action": "create", "path": "src", "destination": "backup.tar.gz"},
        [
            "pack src into backup.tar.gz",
            "compress the folder src to backup.tar.gz",
            "create the archive backup.tar.gz from src",
            "make an archive called backup.tar.gz of the folder src",
            "put src into the archive backup.tar.gz",
        ],
    ),
    (
        "disk_usage",
        {"path": "src"},
        [
            "how big is the folder src",
            "how large is the src folder?",
            "what's the size of the folder src",
            "how much space does the folder src take",
            "disk usage of src",
            "what is taking up all the space in src?",
        ],
    ),
    (
        "disk_usage",
        {"path": "."},
        [
            "how big is this folder",
            "how large is the current folder?",
            "how much space does this folder take up",
            "folder size",
            "what is taking up the space here",
        ],
    ),
    (
        "file_info",
        {"path": "notes.txt"},
        [
            "show the details of notes.txt",
            "what are the properties of notes.txt?",
            "file info notes.txt",
            "tell me about the file notes.txt",
            "show me the metadata of notes.txt",
        ],
    ),
    (
        "file_info",
        {"path": "notes.txt", "hash": True},
        [
            "what's the checksum of notes.txt",
            "compute the sha256 of notes.txt",
            "show me the hash of notes.txt",
            "sha256sum notes.txt",
            "calculate the checksum for notes.txt",
        ],
    ),
    (
        "find_file",
        {"name": "tax return"},
        [
            "find tax return on my computer",
            "find the file tax return anywhere",
            "search my computer for tax return",
            "look for the file tax return on this machine",
            "where on my computer is tax return",
        ],
    ),
]

DESKTOP: list[Row] = [
    (
        "clipboard",
        {"action": "read"},
        [
            "what's on my clipboard",
            "show me the clipboard",
            "read my clipboard",
            "what did I just copy?",
            "is there anything on the clipboard",
            "clipboard contents",
        ],
    ),
    (
        "clipboard",
        {"action": "write", "text": "hello there"},
        [
            "copy hello there to my clipboard",
            "put 'hello there' on the clipboard",
            "copy the text hello there to the clipboard",
            "set my clipboard to hello there",
            "place hello there in my clipboard",
        ],
    ),
    (
        "screenshot",
        {},
        [
            "take a screenshot",
            "Screenshot!",
            "capture my screen",
            "make a picture of the screen",
            "what's on my screen?",
            "grab a screenshot please",
        ],
    ),
    (
        "screenshot",
        {"path": "shot.png"},
        [
            "take a screenshot and save it as shot.png",
            "make a screenshot and save it to shot.png",
            "save a screenshot as shot.png",
            "grab a screenshot and save it in shot.png",
            "save a picture of my screen as shot.png",
        ],
    ),
    (
        "open",
        {"target": "."},
        [
            "open this folder",
            "open this folder in the file manager",
            "show the current folder in the file manager",
            "open the file manager",
            "open the current folder please",
        ],
    ),
    (
        "open",
        {"target": "src"},
        [
            "open the folder src",
            "open the src folder",
            "open the src folder in the file manager",
            "show the folder src in the file manager",
            "reveal the src directory in finder",
        ],
    ),
    (
        "open",
        {"target": "report.pdf"},
        [
            "open report.pdf",
            "please open the PDF report.pdf",
            "open up report.pdf",
            "open the file report.pdf for me",
            "can you open report.pdf?",
        ],
    ),
    (
        "open",
        {"target": "notes.txt"},
        [
            "open notes.txt in its default app",
            "open notes.txt with the default editor",
            "show notes.txt on the desktop",
            "open the file notes.txt in the default program",
            "display notes.txt on my screen",
        ],
    ),
    (
        "open",
        {"target": "notes.txt", "app": "Kate"},
        [
            "open notes.txt with Kate",
            "open the file notes.txt using Kate",
            "edit notes.txt with Kate",
            "view notes.txt using Kate",
            "open notes.txt with the editor Kate",
        ],
    ),
    (
        "open",
        {"target": "https://example.com"},
        [
            "open example.com in my browser",
            "open https://example.com in the browser",
            "show me the page example.com in my browser",
            "launch the browser at example.com",
            "browse to example.com",
        ],
    ),
    (
        "open",
        {"app": "Firefox"},
        [
            "launch Firefox",
            "start the app Firefox",
            "open the application Firefox",
            "open the Firefox app",
            "fire up Firefox",
        ],
    ),
    (
        "notify",
        {"text": "tea is ready"},
        [
            "show a notification saying tea is ready",
            "send me a desktop notification that says tea is ready",
            "notify me with tea is ready",
            "pop up tea is ready on my desktop",
            "desktop notification saying tea is ready",
        ],
    ),
    (
        "system_info",
        {"about": "battery"},
        [
            "how much battery is left",
            "what's my battery level?",
            "battery status",
            "is my laptop charging",
            "how full is my battery",
        ],
    ),
    (
        "system_info",
        {},
        [
            "what are the specs of this computer",
            "show me the hardware",
            "system specs",
            "what kind of machine is this?",
            "tell me everything about this computer",
        ],
    ),
]
