"""Requests at their times, of the web and by mail, of the ends of files and archives, and what is typed bare."""

from __future__ import annotations

from typing import Any

Row = tuple[str, dict[str, Any], list[str]]


def _from_end(path: str) -> dict[str, Any]:
    return {"path": path, "limit": 1}


WAYS: list[Row] = [
    (
        "schedule",
        {"action": "add", "when": "every morning at 8", "prompt": "show me the weather in Oslo"},
        [
            "every morning at 8 show me the weather in Oslo",
            "every morning at 8, show me the weather in Oslo.",
            "show me the weather in Oslo every morning at 8",
            "can you show me the weather in Oslo every morning at 8?",
            "please, every morning at 8 show me the weather in Oslo",
        ],
    ),
    (
        "schedule",
        {"action": "add", "when": "each friday at 17:00", "prompt": "run backup.sh"},
        [
            "each friday at 17:00 run backup.sh",
            "run backup.sh each friday at 17:00",
            "each friday at 17:00, run backup.sh",
            "could you run backup.sh each friday at 17:00",
            "each friday at 17:00 please run backup.sh",
        ],
    ),
    (
        "schedule",
        {"action": "add", "when": "at 5 pm", "prompt": "delete old.log"},
        [
            "at 5 pm delete old.log",
            "at 5 pm, delete old.log",
            "please at 5 pm delete old.log",
            "at 5 pm please delete old.log",
            "at 5 pm delete old.log, thanks",
        ],
    ),
    (
        "remind",
        {"action": "add", "text": "take out the bins", "when": "every tuesday"},
        [
            "take out the bins every tuesday",
            "every tuesday take out the bins",
            "every tuesday, take out the bins",
            "every tuesday remind me to take out the bins",
            "remind me to take out the bins every tuesday",
        ],
    ),
    (
        "read_file",
        _from_end("notes.txt"),
        [
            "remove the last line of notes.txt",
            "delete the last line from notes.txt",
            "delete the last 3 lines of notes.txt",
            "cut the bottom two lines off notes.txt",
            "in notes.txt delete the last line",
            "replace the last line of notes.txt with bye",
            "make the last line of notes.txt say bye",
            "insert hello before the last line of notes.txt",
        ],
    ),
    (
        "edit_lines",
        {"path": "notes.txt", "edits": [{"start_line": 1, "end_line": 2, "mode": "delete"}]},
        [
            "remove the first two lines from notes.txt",
            "delete the first 2 lines of notes.txt",
            "cut the top 2 lines off notes.txt",
            "in notes.txt delete the first two lines",
            "drop the first two lines of the file notes.txt",
        ],
    ),
    (
        "disk_usage",
        {"path": "."},
        [
            "which folder is the biggest",
            "which folder here is the biggest?",
            "what's the largest folder here",
            "show me the biggest folders",
            "which of my folders takes the most space",
            "which subfolder uses the most room?",
        ],
    ),
    (
        "archive",
        {"action": "extract", "path": "backup.zip", "destination": "."},
        [
            "extract backup.zip here",
            "unzip backup.zip here",
            "unpack the archive backup.zip right here",
            "extract backup.zip to this folder",
            "unpack backup.zip into the current folder",
            "extract everything from backup.zip here",
        ],
    ),
    (
        "archive",
        {"action": "list", "path": "backup.zip"},
        [
            "backup.zip",
            "what's inside backup.zip without unpacking it",
            "peek into backup.zip",
            "look inside the archive backup.zip before unpacking it",
            "look into backup.zip without extracting it",
        ],
    ),
    (
        "open",
        {"target": "https://wikipedia.org"},
        [
            "open wikipedia.org",
            "open up the site wikipedia.org",
            "go to wikipedia.org",
            "visit https://wikipedia.org",
            "take me to wikipedia.org",
            "navigate to wikipedia.org",
            "wikipedia.org",
        ],
    ),
    (
        "open",
        {"target": "cat.png"},
        [
            "open the photo cat.png",
            "show me the picture cat.png",
            "view the image cat.png",
            "display the drawing called cat.png",
            "look at the photo cat.png",
        ],
    ),
    (
        "open",
        {"app": "calculator"},
        [
            "start the calculator",
            "open the calculator",
            "open up my calculator",
            "bring up the calculator please",
            "start the calculator app for me",
        ],
    ),
    (
        "image_download",
        {"url": "https://example.com/a.png"},
        [
            "download https://example.com/a.png",
            "save https://example.com/a.png",
            "download https://example.com/a.png here",
            "grab https://example.com/a.png",
            "save https://example.com/a.png to this folder",
        ],
    ),
    (
        "open",
        {"target": "mailto:ann@example.com?body=I%20will%20be%20late"},
        [
            "write an email to ann@example.com saying I will be late",
            "send a mail to ann@example.com that says I will be late",
            "email ann@example.com that I will be late",
            "draft a new e-mail to ann@example.com with the text I will be late",
            'send "I will be late" to ann@example.com',
        ],
    ),
    (
        "open",
        {"target": "mailto:ann@example.com?subject=Lunch%20%26%20more"},
        [
            "write an email to ann@example.com about Lunch & more",
            'send an email to ann@example.com titled "Lunch & more"',
            "compose a mail to ann@example.com with the subject Lunch & more",
            "start an email to ann@example.com regarding Lunch & more",
            "create a mail to ann@example.com concerning Lunch & more",
        ],
    ),
    (
        "open",
        {"target": "mailto:ann@example.com?subject=Lunch&body=at%20one"},
        [
            "write an email to ann@example.com about Lunch saying at one",
            "send a mail to ann@example.com with the subject Lunch with the text at one",
            "write a mail to ann@example.com with subject Lunch and text at one",
            "compose an email to ann@example.com regarding Lunch and say at one",
            "send ann@example.com an email about Lunch saying at one",
        ],
    ),
    (
        "open",
        {"target": "mailto:ann@example.com"},
        [
            "write an email to ann@example.com",
            "send a mail to ann@example.com",
            "start a new email to ann@example.com",
            "compose a mail to ann@example.com",
            "draft an e-mail to ann@example.com please",
        ],
    ),
    (
        "web_search",
        {"query": "capital of Australia"},
        [
            "what is the capital of Australia",
            "what's the capital of Australia?",
            "tell me what is the capital of Australia",
            "do you know the capital of Australia?",
            "find out the capital of Australia",
        ],
    ),
    (
        "web_search",
        {"query": "weather Oslo"},
        [
            "weather in Oslo",
            "what's the weather in Oslo?",
            "show me the weather in Oslo",
            "how is the weather like in Oslo",
            "check the weather forecast for Oslo",
        ],
    ),
    (
        "http_request",
        {"url": "http://127.0.0.1:9/lamp", "method": "PUT", "body": '{"on": true}'},
        [
            'PUT {"on": true} to http://127.0.0.1:9/lamp',
            'make a PUT request to http://127.0.0.1:9/lamp with the body {"on": true}',
            'send a put request to http://127.0.0.1:9/lamp with {"on": true}',
            "put '{\"on\": true}' to http://127.0.0.1:9/lamp",
            'do a PUT request to http://127.0.0.1:9/lamp with the data {"on": true}',
        ],
    ),
    (
        "read_file",
        {"path": "notes.txt", "offset": 2},
        [
            "show notes.txt from the second line on",
            "read notes.txt from line 2",
            "show me notes.txt starting at line 2",
            "print the file notes.txt from line 2 onwards",
            "show everything from line 2 of notes.txt",
        ],
    ),
    (
        "search_files",
        {"pattern": "Anna", "path": "notes.txt", "literal": True, "ignore_case": True},
        [
            "what does notes.txt say about Anna",
            "does notes.txt mention Anna?",
            "find what the file notes.txt says about Anna",
            "what does the file notes.txt have on Anna",
            "look up what notes.txt says about Anna",
        ],
    ),
    (
        "project_memory",
        {"action": "log", "project": "Garden"},
        [
            "what happened last in project Garden",
            "what was done lately in the project Garden",
            "what changed in the Garden project",
            "show me the history of the project Garden",
            "show the log of project Garden",
        ],
    ),
    (
        "write_todos",
        {"todos": [{"content": "clean up", "status": "pending"}, {"content": "pack", "status": "pending"}]},
        [
            "make a plan: first clean up, second pack",
            "make a plan: clean up, then pack",
            "write a plan with the steps clean up and pack",
            "our plan is to clean up, pack",
            "draw up a plan with these steps: clean up; pack",
        ],
    ),
    (
        "job_status",
        {},
        [
            "are any jobs still running?",
            "stop all background jobs",
            "kill all jobs",
            "end everything that is still running",
            "stop every running job",
        ],
    ),
]

TYPED = [
    "python3 --version",
    "ls -la",
    "npm install left-pad",
    "make test",
    "docker ps -a",
    "cat -n a.txt",
    "curl -I https://example.com",
]
NOT_TYPED = ["make a list of good names", "sort things out", "go home", "cat pictures", "head over heels"]

MAIL_WITHOUT_ADDRESS = [
    "write an email to Anna",
    "send an email",
    "mail bob that the meeting moved",
    "check my email",
    "do i have any new mail?",
]

# Said by people who had not seen what is understood, and not understood at first: the tool that is called first.
HEARD = [
    ("list_dir", "could you please tell me how many files are in my photos folder"),
    ("image_download", "download this picture: https://example.com/fox.png"),
    ("run_command", "download this file: https://example.com/manual.pdf"),
    ("remember", "take a note: call the plumber"),
    ("read_document", "turn report.docx into text"),
    ("transcribe", "turn memo.mp3 into text"),
    ("search_files", "which file mentions port"),
    ("remind", "what are my reminders?"),
    ("watch", "watch the folder photos for new files"),
    ("watch", "notify me if the price on https://shop.example.com/tv changes"),
    ("notify", "show a notification: dinner!"),
    ("open", "mail to tom@example.com: see you at 8"),
    ("system_info", "how hot is my cpu"),
    ("system_info", "which os do I run"),
    ("read_document", "how many pages does contract.pdf have"),
    ("git", "push my changes to github"),
    ("web_fetch", "read https://example.com/article to me"),
    ("scrape", "what are the prices on https://shop.example.com"),
    ("read_file", "apply fix.patch"),
    ("read_file", "please apply the patch in fix.patch"),
    ("delete_file", "get rid of old.log, I don't need it anymore"),
    ("edit_file", 'fix the typo "teh" in notes.txt, should be "the"'),
    ("edit_lines", "remove the blank line at line 3 of notes.txt"),
    ("http_request", 'PUT {"on": true} to http://127.0.0.1:9/lamp'),
    ("run_command", "python3 --version"),
    ("http_request", "ping localhost once"),
    ("job_status", "are any jobs still running?"),
    ("job_status", "stop all background jobs"),
    ("list_dir", "what do I have in Documents?"),
    ("move_file", "move all of report.txt into the archive folder"),
    ("read_file", "show notes.txt from the second line on"),
    ("read_file", "notes.txt"),
    ("search_files", "where do I mention Anna in my notes?"),
    ("write_todos", "make a plan: first clean up, second write the docs"),
    ("remind", "what's on my list today"),
    ("schedule", "every morning at 7 tell me what's on my list"),
    ("schedule", "each friday at 17:00 run backup.sh"),
    ("schedule", "what routines are running?"),
    ("watch", "tell me when the file report.txt gets changed"),
    ("notify", "pop up a message saying lunch is ready"),
    ("open", "open youtube.com"),
    ("open", "start the calculator"),
    ("open", "open the photo cat.png"),
    ("read_document", "what does contract.pdf say about payment"),
    ("read_document", "read me the second page of contract.pdf"),
    ("archive", "zip everything in the photos folder"),
    ("archive", "unzip backup.zip here"),
    ("archive", "what's inside backup.zip without unpacking it"),
    ("disk_usage", "which folder here is the biggest?"),
    ("file_info", "when was notes.txt created?"),
    ("git", "undo my changes to main.py in git"),
    ("github_issue", "open an issue on me/proj: the login button is broken"),
    ("image_download", "download https://example.com/cat.png"),
    ("project_memory", "what happened last in project Garden"),
    ("listen", "listen to what I say"),
    ("web_fetch", "what's on the page https://example.com/article"),
    ("web_search", "what is the capital of Australia"),
    ("web_search", "look up train times from Oslo to Bergen"),
    ("web_search", "weather in Oslo tomorrow"),
]
