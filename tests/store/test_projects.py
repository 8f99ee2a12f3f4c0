"""Projects in the store while several threads, or programs, use it."""

from __future__ import annotations

import threading

import pytest

from ankita_desktop.errors import StoreError
from ankita_desktop.store.database import Store


def test_nobody_sees_a_project_before_all_that_was_told_of_it_is_there(store: Store) -> None:
    seen: list[str] = []
    over = threading.Event()

    def look() -> None:
        while True:  # the last look is after the last change, so there always is one
            last = over.is_set()
            seen.extend(each.place for each in store.projects())
            if last:
                return

    reader = threading.Thread(target=look)
    reader.start()
    for number in range(100):
        store.add_project(f"Mill {number}", kind="folder", place="/srv/mill")
    over.set()
    reader.join()
    assert seen and set(seen) == {"/srv/mill"}


def test_changes_made_at_once_are_all_kept(store: Store) -> None:
    project = store.add_project("Mill").id
    threads = [
        threading.Thread(target=lambda fields=fields: [store.update_project(project, **fields) for _ in range(50)])
        for fields in ({"about": "grinds"}, {"place": "/srv/mill"}, {"conventions": ["tabs"]})
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = store.projects()[0]
    assert (kept.about, kept.place, kept.conventions) == ("grinds", "/srv/mill", ("tabs",))


def test_a_project_that_can_not_be_made_as_told_is_not_made_at_all(store: Store) -> None:
    with pytest.raises(TypeError):
        store.add_project("Mill", colour="red")
    assert store.projects() == []
    store.add_project("Mill")
    with pytest.raises(StoreError, match="Mill"):
        store.add_project("mill")
