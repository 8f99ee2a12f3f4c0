"""What the meter shows as cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop import paths
from ankita_desktop.models.prices import Prices
from ankita_desktop.protocol import Usage

SHIPPED = paths.bundled("assets") / "prices.toml"


def test_cached_tokens_are_billed_once_at_their_own_price() -> None:
    usage = Usage(input=1_000_000, cached=600_000, output=100_000)
    assert Prices([SHIPPED]).cost("gpt-5", usage) == pytest.approx(0.4 * 1.25 + 0.6 * 0.125 + 0.1 * 10)


def test_the_longest_name_counts_and_the_seller_in_front_doesnt() -> None:
    usage = Usage(input=1_000_000)
    assert Prices([SHIPPED]).cost("openai/gpt-5-mini-2025-08-07", usage) == pytest.approx(0.25)


def test_what_the_service_says_goes_first() -> None:
    assert Prices([SHIPPED]).cost("gpt-5", Usage(input=5, cost=0.5)) == 0.5


def test_an_unknown_model_has_no_cost_rather_than_a_wrong_one() -> None:
    assert Prices([SHIPPED]).cost("my-own-model", Usage(input=5)) is None


def test_the_persons_prices_go_before_ours(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('[models]\n"gpt-5" = [1, 1, 1]\n')
    assert Prices([SHIPPED, own]).cost("gpt-5", Usage(input=1_000_000)) == pytest.approx(1.0)


def test_a_broken_file_is_named_and_left_out(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('[models]\n"gpt-5" = [1]\n')
    prices = Prices([SHIPPED, own])
    assert prices.cost("gpt-5", Usage(input=1_000_000)) == pytest.approx(1.25)
    assert "prices.toml" in prices.problems[0]
