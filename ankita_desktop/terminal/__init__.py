"""The terminal front end: one module per command. Nothing here imports Qt."""

COMMANDS = {
    "chat": "a conversation in the terminal",
    "tools": "list | find | show | run | audit | review the assistant's tools",
    "sessions": "list | show | search | export | import | delete conversations, or forget everything",
    "memory": "list | add | update | forget | pin | recall | export what is remembered",
    "skills": "list | show | check instructions for kinds of work",
    "approvals": "list | answer questions that wait; revoke what was allowed",
    "usage": "what the rounds of conversations sent and cost",
    "voice": "check | setup | transcribe | say: hearing and speaking",
    "routines": "list | add | remove | pause | resume | run | history: prompts that run by themselves",
    "daemon": "reminders, routines and watches without a window",
    "undo": "put files back as they were before the last change",
    "checkpoints": "list the changes that can be undone",
    "config": "get | set | path: the settings",
    "when": "what a schedule text means, and its next times",
    "doctor": "what this machine has and lacks, each with the fix",
}
