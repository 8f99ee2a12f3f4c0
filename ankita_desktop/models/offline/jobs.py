"""The jobs of this conversation: the one that was named, the newest, or all of them."""

from __future__ import annotations

from collections.abc import Mapping

from ankita_desktop.models.offline import wording, words
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.recipes import one
from ankita_desktop.models.offline.script import Recipe, Say, Scene, Script, Wish


def job(reading: Reading, scene: Scene) -> Script:
    """The job that was named, else the newest one of this conversation."""
    named = reading.values.get("job") or _newest_job(scene)
    tool = reading.values["tool"]
    if not named:
        return (yield from one("job_status", {}, reading))
    arguments = {"job_id": named}
    if tool == "job_input":
        arguments["text"] = f"{reading.values['text']}\n"
    return (yield from one(tool, arguments, reading))


def _newest_job(scene: Scene) -> str:
    for exchange in reversed(scene.before):
        for done in reversed(exchange.done):
            if found := done.result.details.get("job_id"):
                return str(found)
    return ""


def stop_jobs(reading: Reading, scene: Scene) -> Script:
    """Every job that still runs, one after the other."""
    look = Wish("job_status", {})
    result = yield look
    rows = [row for row in result.details.get("jobs") or () if row["exit_code"] is None]
    if not result.ok or not rows:
        yield Say(words.failure(look, result) if not result.ok else "No job is running.")
        return result.ok
    for row in rows:
        stop = Wish("job_stop", {"job_id": row["job_id"]})
        result = yield stop
        if not result.ok:
            yield Say(words.failure(stop, result))
            return False
    yield Say(f"Stopped {wording.plural(len(rows), 'job')}.")
    return True


RECIPES: Mapping[str, Recipe] = {"job": job, "stop_jobs": stop_jobs}
