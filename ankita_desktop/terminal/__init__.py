"""The terminal front end: one module per command. Nothing here imports Qt."""

COMMANDS = {
    "chat": "a conversation in the terminal",
    "tools": "list | find | show | run the assistant's tools",
    "sessions": "list | show | search | export | delete conversations",
    "approvals": "list | answer questions that wait; revoke what was allowed",
    "config": "get | set | path: the settings",
    "doctor": "what this machine has and lacks, each with the fix",
}
