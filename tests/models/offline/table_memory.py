"""Sentences about memory, skills and projects, with the call that each must become."""

from __future__ import annotations

from typing import Any

Row = tuple[str, dict[str, Any], list[str]]

MEMORY: list[Row] = [
    (
        "remember",
        {"action": "add", "text": "I prefer tea"},
        [
            "remember that I prefer tea",
            "Please remember: I prefer tea.",
            "keep in mind that I prefer tea",
            "make a note that I prefer tea",
            "don't forget that I prefer tea",
            "for future reference, I prefer tea",
            "add to your memory that I prefer tea",
            "I want you to know that I prefer tea",
        ],
    ),
    (
        "remember",
        {"action": "add", "text": "My name is Ravi"},
        ["my name is Ravi", "call me Ravi", "please call me Ravi", "I go by Ravi", "people call me Ravi"],
    ),
    (
        "remember",
        {"action": "list"},
        [
            "what do you know about me?",
            "what do you remember about me",
            "what have I told you so far?",
            "show me everything you know about me",
            "list your memories",
            "what's in your memory?",
            "do you know anything about me?",
        ],
    ),
    (
        "recall",
        {"query": "boiler"},
        [
            "what did I tell you about the boiler?",
            "what do you know about my boiler",
            "what did we decide about the boiler?",
            "did I ever mention the boiler?",
            "search your memory for boiler",
            "when did we last talk about the boiler?",
            "recall everything about boiler",
        ],
    ),
    (
        "remember",
        {"action": "forget", "text": "I prefer tea"},
        [
            "forget that I prefer tea",
            "please forget that I prefer tea.",
            "delete the fact that I prefer tea from your memory",
            "don't remember that I prefer tea any more",
            "stop remembering that I prefer tea",
            "unlearn that I prefer tea",
        ],
    ),
    (
        "remember",
        {"action": "pin", "text": "I speak Irish"},
        [
            "pin that I speak Irish",
            "always remember that I speak Irish",
            "always bear in mind that I speak Irish",
            "keep the fact that I speak Irish pinned",
            "pin to your memory that I speak Irish",
        ],
    ),
    (
        "remember",
        {"action": "unpin", "text": "I speak Irish"},
        [
            "unpin that I speak Irish",
            "unpin the fact that I speak Irish",
            "remove the pin from the fact that I speak Irish",
            "stop pinning that I speak Irish",
            "take off the pin of I speak Irish",
        ],
    ),
    (
        "skill",
        {},
        [
            "which skills do you have?",
            "what skills are there",
            "list the skills",
            "show me all skills",
            "show me the available skills",
            "do you have any skills?",
        ],
    ),
    (
        "skill",
        {"name": "release-notes"},
        [
            "use the skill release-notes",
            "use the release-notes skill",
            "follow the skill called release-notes",
            "show me the release-notes skill",
            "what does the skill release-notes say?",
            "read the skill release-notes",
        ],
    ),
    (
        "project",
        {"action": "add", "name": "Harbour site"},
        [
            "start a project called Harbour site",
            "create a new project named Harbour site",
            "new project called Harbour site",
            "keep Harbour site as a project",
            "add Harbour site to my projects",
        ],
    ),
    (
        "project",
        {"action": "list"},
        [
            "list my projects",
            "show me all projects",
            "what projects do I have?",
            "which projects are there",
            "what are my projects?",
        ],
    ),
    (
        "project",
        {"action": "use", "project": "Harbour"},
        [
            "switch to the project Harbour",
            "switch to the Harbour project",
            "use the project Harbour",
            "let's work on the project Harbour",
            "set the project to Harbour",
        ],
    ),
    (
        "project",
        {"action": "show"},
        [
            "which project is this?",
            "what project are we working on",
            "show the current project",
            "what's the current project?",
            "current project",
        ],
    ),
    (
        "project_memory",
        {"action": "brief"},
        [
            "give me a brief of the project",
            "brief me on this project",
            "show me the project brief",
            "what do we know about the project?",
            "where do we stand with the project",
            "what's the status of the project?",
        ],
    ),
    (
        "project_memory",
        {"action": "brief", "project": "Harbour"},
        [
            "give me a brief of the project Harbour",
            "brief me on the Harbour project",
            "project brief for Harbour",
            "fill me in on the project Harbour",
            "where do we stand with the project Harbour?",
        ],
    ),
    (
        "project_memory",
        {"action": "note", "text": "the wheel is loose"},
        [
            "add a project note that the wheel is loose",
            "note for this project that the wheel is loose",
            "project note: the wheel is loose",
            "make a note for the project that the wheel is loose",
            "remember for this project that the wheel is loose",
        ],
    ),
    (
        "project_memory",
        {"action": "decide", "text": "use tabs"},
        [
            "we decided to use tabs",
            "we have agreed to use tabs",
            "log the decision to use tabs",
            "record that we decided to use tabs",
            "decision: use tabs",
            "it was decided to use tabs",
        ],
    ),
    (
        "project_memory",
        {"action": "todo", "text": "grease the axle"},
        [
            "add a project todo to grease the axle",
            "add a task for this project to grease the axle",
            "put grease the axle on the project todo list",
            "project todo: grease the axle",
            "create a project task: grease the axle",
        ],
    ),
    (
        "project_memory",
        {"action": "done", "text": "grease the axle"},
        [
            "mark the project todo grease the axle as done",
            "the project task grease the axle is done",
            "finish the project todo grease the axle",
            "we finished the project task grease the axle",
            "done with the project todo grease the axle",
        ],
    ),
    (
        "project_memory",
        {"action": "log"},
        [
            "what happened in the project lately?",
            "show the project log",
            "show me the history of this project",
            "project log",
            "what did we decide?",
        ],
    ),
    (
        "project",
        {"action": "archive", "project": "Harbour"},
        [
            "archive the project Harbour",
            "archive the Harbour project",
            "put the project Harbour away",
            "the project Harbour is over",
            "move the project Harbour to the archive",
        ],
    ),
    (
        "project",
        {"action": "forget", "project": "Harbour"},
        [
            "forget the project Harbour",
            "forget about the Harbour project",
            "delete the project Harbour",
            "remove the project Harbour from my list",
            "drop the project Harbour",
        ],
    ),
]
