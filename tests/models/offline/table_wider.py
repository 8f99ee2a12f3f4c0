"""Further ways in which people ask for the same things, with the call that each must become."""

from __future__ import annotations

from typing import Any

Row = tuple[str, dict[str, Any], list[str]]

WIDER: list[Row] = [
    (
        "recall",
        {"query": "favourite colour"},
        [
            "what is my favourite colour",
            "what's my favourite colour?",
            "do you know what my favourite colour is?",
            "can you tell me what my favourite colour is",
            "what was my favourite colour again?",
        ],
    ),
    (
        "recall",
        {"query": "sister"},
        [
            "what's my sister called?",
            "who is my sister",
            "what is my sister named",
            "do you know who my sister is",
            "who's my sister",
        ],
    ),
    (
        "recall",
        {"query": "birthday"},
        [
            "when is my birthday?",
            "do you know when my birthday is",
            "do you remember when my birthday is?",
            "tell me when my birthday is",
            "when's my birthday",
        ],
    ),
    (
        "remember",
        {"action": "add", "text": "I'm allergic to nuts"},
        [
            "I'm allergic to nuts, please remember",
            "I'm allergic to nuts, remember that",
            "I am allergic to nuts, keep that in mind",
            "I'm allergic to nuts, please note that",
            "I'm allergic to nuts, don't forget it",
        ],
    ),
    (
        "remember",
        {"action": "forget", "text": "favourite colour"},
        [
            "forget my favourite colour",
            "please forget my favourite colour",
            "forget what you know about my favourite colour",
            "delete what you know about my favourite colour",
            "remove what you noted about my favourite colour",
        ],
    ),
    (
        "remember",
        {"action": "pin", "text": "answer in short sentences"},
        [
            "from now on answer in short sentences",
            "from now on, please answer in short sentences",
            "in future answer in short sentences",
            "in the future, answer in short sentences",
            "from today on answer in short sentences",
            "going forward, answer in short sentences",
        ],
    ),
    (
        "find_tools",
        {"query": "git"},
        [
            "which tools do you have for git",
            "what tools are there for git?",
            "do you have any tools for git",
            "is there a tool for git?",
            "find tools for git",
            "search your tools for git",
        ],
    ),
    (
        "listen",
        {},
        [
            "listen to me",
            "listen",
            "take a dictation",
            "write down what I say",
            "turn on the microphone",
            "take a voice note please",
        ],
    ),
    (
        "list_dir",
        {"path": "."},
        [
            "delete every .log file",
            "delete all log files",
            "remove all the log files in this folder",
            "get rid of every single log file",
            "move all log files to the trash",
            "delete files ending with .log",
        ],
    ),
    (
        "list_dir",
        {"path": "src"},
        [
            "delete all the log files in src",
            "have a look at the src directory and tell me what's in there",
            "look in the folder src and show me what's inside",
            "anything in the src folder?",
            "take a look at the src folder",
        ],
    ),
    (
        "read_file",
        {"path": "fix.diff"},
        [
            "apply the patch fix.diff",
            "apply the diff fix.diff to this project",
            "patch this folder with fix.diff",
            "make the changes in the patch fix.diff",
            "try the patch fix.diff",
        ],
    ),
    (
        "glob",
        {"pattern": "**/*.pdf"},
        [
            "where are my pdfs",
            "find me all the pdf files",
            "which pdfs do I have?",
            "where's my pdf",
            "where are all my pdf files?",
        ],
    ),
    (
        "search_files",
        {"pattern": "invoices", "literal": True},
        [
            "which files talk about invoices",
            "what documents mention invoices?",
            "is the word invoices anywhere?",
            "does the word invoices appear in any file",
            "search for invoices in the folder",
        ],
    ),
    (
        "port_status",
        {"port": 8080},
        [
            "whats using port 8080",
            "who's blocking port 8080?",
            "what's hogging port 8080",
            "what's occupying port 8080",
            "whos on port 8080",
        ],
    ),
    (
        "git",
        {"action": "status"},
        [
            "has anything changed since the last commit?",
            "what has changed since my last commit",
            "did I change anything since the last commit",
            "is there anything to commit?",
            "did anything change since our last commit",
        ],
    ),
    (
        "disk_usage",
        {"path": "."},
        [
            "what's eating my disk space here",
            "what takes up all the space here?",
            "what is filling my disk",
            "which folders take up the most room",
            "what's using the most disk space here",
        ],
    ),
    (
        "watch",
        {"action": "add", "path": "report.csv"},
        [
            "keep an eye on report.csv and tell me when it changes",
            "watch report.csv and let me know when it changes",
            "tell me when report.csv changes",
            "let me know if report.csv is updated",
            "monitor the file report.csv and alert me as soon as it changes",
        ],
    ),
    (
        "remind",
        {"action": "add", "text": "take out the pizza", "when": "in twenty minutes"},
        [
            "in twenty minutes remind me to take out the pizza",
            "in twenty minutes, please remind me to take out the pizza",
            "in twenty minutes tell me to take out the pizza",
            "in twenty minutes ping me to take out the pizza",
            "could you in twenty minutes remind me to take out the pizza",
        ],
    ),
    (
        "http_request",
        {"url": "http://127.0.0.1:9/health"},
        [
            "do a GET on http://127.0.0.1:9/health",
            "make a get request to http://127.0.0.1:9/health",
            "send an HTTP GET to http://127.0.0.1:9/health",
            "GET http://127.0.0.1:9/health",
            "perform a GET request on http://127.0.0.1:9/health",
        ],
    ),
    (
        "write_file",
        {"path": "shopping.txt", "content": "milk and eggs\n"},
        [
            "make a file called shopping.txt with milk and eggs in it",
            "create shopping.txt with milk and eggs inside",
            "create a file shopping.txt having milk and eggs in it",
            "please write a new file shopping.txt with milk and eggs in it",
            "start a file called shopping.txt that has milk and eggs in it",
        ],
    ),
    (
        "read_document",
        {"path": "manual.pdf"},
        [
            "summarise manual.pdf",
            "sum up the pdf manual.pdf",
            "give me a summary of manual.pdf",
            "skim the report manual.pdf",
            "could you summarize the file manual.pdf?",
        ],
    ),
    (
        "project_memory",
        {"action": "note", "text": "the fence is wet", "project": "Garden"},
        [
            "note for Garden: the fence is wet",
            "add a note to the project Garden: the fence is wet",
            "make a note for Garden: the fence is wet",
            "write down for the project Garden: the fence is wet",
            "project note for Garden: the fence is wet",
        ],
    ),
    (
        "project_memory",
        {"action": "todo", "text": "paint the fence", "project": "Garden"},
        [
            "todo for Garden: paint the fence",
            "add a todo to the project Garden: paint the fence",
            "task for Garden: paint the fence",
            "add a task for Garden: paint the fence",
            "create a to-do for the project Garden: paint the fence",
        ],
    ),
    (
        "project_memory",
        {"action": "brief", "project": "Garden"},
        [
            "brief me on Garden",
            "what is still open in the project Garden",
            "how is the project Garden going?",
            "what's left to do in the project Garden",
            "bring me up to speed on Garden",
        ],
    ),
]

SLIPS: list[tuple[str, str]] = [
    ("plese raed notes.txt", "read"),
    ("serch for invoice in all files", "search"),
    ("can you remid me to call mum at 6pm", "remind_at"),
    ("delte old.log", "delete"),
    ("whta is in this fodler", "list"),
    ("shwo me the hidden filse", "list"),
    ("renmae a.txt to b.txt", "move"),
    ("whihc files mention invoices", "search"),
]
