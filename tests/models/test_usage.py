"""Tokens mean the same whoever counts them."""

from __future__ import annotations

from typing import Any

import pytest

from ankita_desktop.models.usage import usage_of
from ankita_desktop.protocol import Usage

BOTH = {"prompt_tokens": 9, "completion_tokens": 4}
CACHED = {"cached_tokens": 6}
REASONING = {"completion_tokens_details": {"reasoning_tokens": 3}}
CASES: dict[str, tuple[dict[str, Any], tuple[int, int, int]]] = {
    "openai chat": ({**BOTH, "prompt_tokens_details": CACHED}, (9, 6, 4)),
    "openai responses": ({"input_tokens": 9, "output_tokens": 4, "input_tokens_details": CACHED}, (9, 6, 4)),
    "deepseek": ({**BOTH, "prompt_cache_hit_tokens": 6}, (9, 6, 4)),
    "moonshot": ({**BOTH, **CACHED}, (9, 6, 4)),
    "reasoning inside": ({**BOTH, **REASONING, "total_tokens": 13}, (9, 0, 4)),
    "reasoning beside": ({**BOTH, **REASONING, "total_tokens": 16}, (9, 0, 7)),
    "anthropic": (
        {"input_tokens": 2, "output_tokens": 4, "cache_read_input_tokens": 6, "cache_creation_input_tokens": 1},
        (9, 6, 4),
    ),
    "gemini": (
        {"promptTokenCount": 9, "candidatesTokenCount": 3, "thoughtsTokenCount": 1, "cachedContentTokenCount": 6},
        (9, 6, 4),
    ),
    "ollama": ({"prompt_eval_count": 9, "eval_count": 4}, (9, 0, 4)),
    "odd values": ({"prompt_tokens": None, "completion_tokens": "4", "prompt_tokens_details": []}, (0, 0, 0)),
}


@pytest.mark.parametrize("name", CASES)
def test_input_includes_cached_and_output_includes_reasoning(name: str) -> None:
    fields, (input_, cached, output) = CASES[name]
    assert usage_of(fields) == Usage(input_, cached, output)


def test_the_cost_a_service_names_is_kept() -> None:
    fields: dict[str, Any] = {"prompt_tokens": 9, "completion_tokens": 4, "cost": 0.002}
    assert usage_of(fields).cost == 0.002
    assert usage_of({"prompt_tokens": 9}).cost is None
