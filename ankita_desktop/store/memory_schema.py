"""Tables of what is remembered: facts about the person, projects with their notes, and word indexes over these
and over what was said. The index of what was said follows the messages by triggers, whoever writes them."""

from __future__ import annotations

WORDS = "porter unicode61 remove_diacritics 2"
SPOKEN = 4_000  # characters of one message that can be recalled


def _indexed(table: str) -> str:
    """The word index of a table with ``seq`` and ``text``, kept up to date by triggers."""
    gone = f"INSERT INTO {table}_words ({table}_words, rowid, text) VALUES ('delete', old.seq, old.text);"
    here = f"INSERT INTO {table}_words (rowid, text) VALUES (new.seq, new.text);"
    return f"""
CREATE VIRTUAL TABLE {table}_words USING fts5 (text, content='{table}', content_rowid='seq', tokenize='{WORDS}');
CREATE VIRTUAL TABLE {table}_vocabulary USING fts5vocab ({table}_words, row);
CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN {here} END;
CREATE TRIGGER {table}_gone AFTER DELETE ON {table} BEGIN {gone} END;
CREATE TRIGGER {table}_changed AFTER UPDATE OF text ON {table} BEGIN {gone} {here} END;
"""


def _text(body: str) -> str:
    return f"substr(json_extract({body}, '$.text'), 1, {SPOKEN})"


def _is_spoken(body: str) -> str:
    return (
        f"json_extract({body}, '$.role') IN ('user', 'assistant') AND json_extract({body}, '$.text') <> '' "
        f"AND json_extract({body}, '$.source') <> 'note'"
    )


MEMORY = f"""
CREATE TABLE facts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, sense TEXT NOT NULL UNIQUE, pinned REAL,
    session TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL
);
CREATE INDEX facts_pinned ON facts (pinned) WHERE pinned IS NOT NULL;
{_indexed("facts")}
CREATE TABLE forgotten (words TEXT PRIMARY KEY, created REAL NOT NULL);
CREATE TABLE memory_salt (salt BLOB NOT NULL);
INSERT INTO memory_salt VALUES (randomblob(16));
CREATE TABLE projects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    place TEXT NOT NULL, about TEXT NOT NULL, lists TEXT NOT NULL, archived REAL,
    created REAL NOT NULL, updated REAL NOT NULL
);
CREATE TABLE notes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL REFERENCES projects(seq) ON DELETE CASCADE,
    kind TEXT NOT NULL, text TEXT NOT NULL, due TEXT NOT NULL, done REAL, created REAL NOT NULL
);
CREATE INDEX notes_of_project ON notes (project, kind);
{_indexed("notes")}
CREATE TABLE session_projects (
    session TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
    project INTEGER NOT NULL REFERENCES projects(seq) ON DELETE CASCADE
);
CREATE VIEW spoken AS SELECT seq, {_text("body")} AS text FROM messages;
CREATE VIRTUAL TABLE spoken_words USING fts5 (text, content='spoken', content_rowid='seq', tokenize='{WORDS}');
CREATE VIRTUAL TABLE spoken_vocabulary USING fts5vocab (spoken_words, row);
CREATE TRIGGER spoken_added AFTER INSERT ON messages WHEN {_is_spoken("new.body")} BEGIN
    INSERT INTO spoken_words (rowid, text) VALUES (new.seq, {_text("new.body")}); END;
CREATE TRIGGER spoken_gone AFTER DELETE ON messages WHEN {_is_spoken("old.body")} BEGIN
    INSERT INTO spoken_words (spoken_words, rowid, text) VALUES ('delete', old.seq, {_text("old.body")}); END;
INSERT INTO spoken_words (rowid, text) SELECT seq, {_text("body")} FROM messages WHERE {_is_spoken("body")};
"""
