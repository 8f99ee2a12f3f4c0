"""A store of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ankita_desktop.store.database import Store


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store()
    yield store
    store.close()


@pytest.fixture
def session(store: Store) -> str:
    return store.create_session(cwd="/", mode="ask", model="").id
