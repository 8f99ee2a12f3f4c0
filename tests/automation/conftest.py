"""An office of its own for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.automation.office import Office, opened


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Office]:
    with opened(tmp_path) as made:
        yield made
