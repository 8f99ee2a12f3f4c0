"""What a sentence means: the right groups, and nothing for what needs none."""

from __future__ import annotations

from collections import Counter

import pytest

from ankita_desktop.catalog import ToolCatalogue, open_catalogue
from tests.catalog.sentences import figures, sentences


@pytest.fixture(scope="module")
def catalogue() -> ToolCatalogue:
    return open_catalogue()


def groups(catalogue: ToolCatalogue, query: str) -> set[str]:
    return set(catalogue.match(query, planned=True).groups)


def test_the_written_set_is_as_broad_as_promised() -> None:
    rows = sentences("queries.jsonl")
    kinds, languages = Counter(row["kind"] for row in rows), Counter(row["lang"] for row in rows)
    assert len({row["query"] for row in rows}) == len(rows) >= 400
    assert kinds["negative"] >= 100
    assert kinds["paraphrase"] >= (len(rows) - kinds["negative"] - kinds["language"]) / 2
    assert all(languages[language] >= 20 for language in ("es", "fr", "de", "hi-Latn", "pt"))


def test_written_sentences_find_their_groups_and_negatives_find_none(catalogue: ToolCatalogue) -> None:
    found = figures(catalogue, sentences("queries.jsonl"))
    assert found.recall >= 0.97, found.wrong
    assert found.exact >= 0.88, found.wrong
    assert found.silence >= 0.97, found.wrong


def test_sentences_written_after_tuning_are_understood_too(catalogue: ToolCatalogue) -> None:
    """A last set. Its first run, before anything was changed for it: recall 0.916, exact 0.887, silence 0.938.

    Those before it are part of queries.jsonl since: 0.912, 0.900, 0.950; then, ever harder and as found,
    0.904, 0.875, 0.881; 0.863, 0.832, 0.959; 0.932, 0.848, 0.922; 0.838, 0.806, 0.869; 0.869, 0.848, 0.975;
    0.951, 0.911, 0.971.
    """
    rows = sentences("last_set.jsonl")
    found = figures(catalogue, rows)
    assert len(rows) >= 100
    assert found.exact >= 0.80 and found.silence >= 0.95, found.wrong


@pytest.mark.parametrize("language", ["en", "es", "fr", "de", "hi-Latn", "pt"])
def test_each_language_is_understood(catalogue: ToolCatalogue, language: str) -> None:
    rows = [row for row in sentences("queries.jsonl") if row["lang"] == language]
    found = figures(catalogue, rows)
    assert found.recall >= 0.95, found.wrong


@pytest.mark.parametrize(
    ("query", "group"),
    [
        ("reminders", "automation"),
        ("scheduled tasks", "automation"),
        ("images", "images"),
        ("commits", "git"),
        ("branches", "git"),
        ("transcribing", "voice"),
    ],
)
def test_every_inflection_of_a_keyword_counts(catalogue: ToolCatalogue, query: str, group: str) -> None:
    assert groups(catalogue, query) == {group}


@pytest.mark.parametrize("query", ["public transport", "the airport", "weekly", "important", "imaginary"])
def test_a_word_inside_another_is_not_that_word(catalogue: ToolCatalogue, query: str) -> None:
    assert groups(catalogue, query) == set()


@pytest.mark.parametrize(
    ("query", "group"),
    [
        ("set a remidner", "automation"),
        ("take a scrennshot", "desktop"),
        ("list open pull requets", "github"),
        ("what's on my calender", "connectors"),
        ("trancsribe this", "voice"),
    ],
)
def test_slips_of_the_finger_are_forgiven(catalogue: ToolCatalogue, query: str, group: str) -> None:
    assert groups(catalogue, query) == {group}


@pytest.mark.parametrize("query", ["strike a pose", "black and smart", "humanity", "a tropic shelf"])
def test_ordinary_words_are_not_taken_for_slips(catalogue: ToolCatalogue, query: str) -> None:
    assert groups(catalogue, query) == set()


def test_a_german_termin_is_an_appointment_and_nothing_else(catalogue: ToolCatalogue) -> None:
    assert groups(catalogue, "welche Termine habe ich heute") == {"connectors"}


def test_a_brand_is_one_word(catalogue: ToolCatalogue) -> None:
    assert groups(catalogue, "GitHub") == groups(catalogue, "github") == {"github"}


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ("commit this and check my GitHub notifications", {"git", "github"}),
        ("show my GitHub notifications", {"github"}),
        ("remind me to push the branch", {"automation"}),
        ("schedule a meeting with Tom tomorrow", {"connectors"}),
        ("remember for this project that we deploy on Fridays", {"project"}),
        ("remember that I deploy on Fridays", set()),
        ("find an MCP server for postgres", {"mcp"}),
        ("a picture of my screen please, capture it", {"desktop"}),
    ],
)
def test_rules_settle_what_two_groups_could_claim(catalogue: ToolCatalogue, query: str, right: set[str]) -> None:
    assert groups(catalogue, query) == right


@pytest.mark.parametrize(
    "query",
    [
        "I had a long meeting today, ugh",
        "my inbox stresses me out",
        "git is confusing",
        "what a lovely photo",
        "the photos from the wedding are finally here",
        "calendars were invented a long time ago, weren't they?",
        "I finished reading the book last night",
        "adoro fotografia",
    ],
)
def test_who_only_tells_how_things_are_wants_nothing(catalogue: ToolCatalogue, query: str) -> None:
    assert groups(catalogue, query) == set()


@pytest.mark.parametrize(
    ("query", "group"),
    [
        ("I got sent a powerpoint, what is it about?", "documents"),
        ("the dev server says the address is already in use", "process"),
        ("I keep missing my pills. Could you bug me about it twice a day?", "automation"),
        ("my calendar is empty tomorrow?", "connectors"),
        ("my timers", "automation"),
        ("I'd like a picture of my dream house", "images"),
    ],
)
def test_a_wish_that_begins_like_a_remark_is_a_wish(catalogue: ToolCatalogue, query: str, group: str) -> None:
    assert groups(catalogue, query) == {group}


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ("request changes on #412", {"github"}),
        ("what's the status of the checks on #77", {"github"}),
        ("take down whatever blocks :8888", {"process"}),
        ("paint it in #333333", set()),
        ("what is the difference between merge and rebase", set()),
        ("move my 2 o'clock to 4", {"connectors"}),
    ],
)
def test_ticket_numbers_ports_and_pairs_are_read_as_such(
    catalogue: ToolCatalogue, query: str, right: set[str]
) -> None:
    assert groups(catalogue, query) == right


@pytest.mark.parametrize(
    "query",
    [
        "add a calendar widget to the React page",
        "reduce duplication in the notification service",
        "our screenshot component doesn't render, fix the css",
        "send a GET request to https://api.example.com/health",
        "use the commit-review skill",
    ],
)
def test_work_that_core_tools_do_needs_no_group_whatever_it_is_about(catalogue: ToolCatalogue, query: str) -> None:
    assert groups(catalogue, query) == set()


def test_what_a_todo_says_does_not_make_it_work_on_code(catalogue: ToolCatalogue) -> None:
    assert groups(catalogue, "add a todo to the project: migrate the billing cron") == {"project"}


@pytest.mark.parametrize(
    "query",
    ["edit web/browser.py", 'rename "images" to "photos"', "open src/git/commit.py", "`git push` in notes.md"],
)
def test_paths_and_quotes_are_somebody_elses_words(catalogue: ToolCatalogue, query: str) -> None:
    assert groups(catalogue, query) <= {"desktop"}


def test_reasons_and_scores_come_with_every_group(catalogue: ToolCatalogue) -> None:
    match = catalogue.match("commit this and remind me at 5", planned=True)
    assert set(match.scores) == set(match.why) == set(match.groups) == {"git", "automation"}
    assert all(match.why.values())


def test_planned_groups_are_matched_but_never_offered(catalogue: ToolCatalogue) -> None:
    planned = {group.name for group in catalogue.groups() if group.planned}
    for row in sentences("queries.jsonl"):
        assert not planned & set(catalogue.match(row["query"]).groups)


@pytest.mark.parametrize("query", ["", " ", "?!", "x", "🦊", "a" * 5000, "\x00", "git " * 2000])
def test_any_text_is_answered(catalogue: ToolCatalogue, query: str) -> None:
    assert groups(catalogue, query) <= {"git"}


def test_every_rule_and_carrier_says_why() -> None:
    from ankita_desktop import paths
    from ankita_desktop.catalog.scan import read_catalog

    settings = read_catalog(paths.bundled("tools") / "catalog.toml")
    for rule in (*settings["rules"], *settings["carriers"]):
        assert len(rule["reason"]) > 10
