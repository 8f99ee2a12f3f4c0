"""One meaning for every provider's token counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ankita_desktop.protocol import Usage


def usage_of(fields: Mapping[str, Any]) -> Usage:
    """The canonical record of a provider's ``usage`` object: ``input`` includes what was cached, ``output``
    includes reasoning, each token counted once. Understands the fields of OpenAI (chat and responses),
    DeepSeek, Moonshot, xAI, OpenRouter, Anthropic, Gemini and Ollama; missing or odd values count as 0."""
    if "promptTokenCount" in fields:
        return _gemini(fields)
    if "cache_read_input_tokens" in fields or "cache_creation_input_tokens" in fields:
        return _anthropic(fields)
    return _openai(fields)


def _openai(fields: Mapping[str, Any]) -> Usage:
    input_ = _count(fields, "prompt_tokens", "input_tokens", "prompt_eval_count")
    output = _count(fields, "completion_tokens", "output_tokens", "eval_count")
    input_details = _part(fields, "prompt_tokens_details", "input_tokens_details")
    output_details = _part(fields, "completion_tokens_details", "output_tokens_details")
    cached = _count(input_details, "cached_tokens") or _count(fields, "prompt_cache_hit_tokens", "cached_tokens")
    reasoning = _count(output_details, "reasoning_tokens")
    if reasoning and _count(fields, "total_tokens") == input_ + output + reasoning:
        output += reasoning  # this provider leaves reasoning out of its completion tokens
    return Usage(input_, min(cached, input_), output, _cost(fields))


def _anthropic(fields: Mapping[str, Any]) -> Usage:
    cached = _count(fields, "cache_read_input_tokens")
    input_ = _count(fields, "input_tokens") + cached + _count(fields, "cache_creation_input_tokens")
    return Usage(input_, cached, _count(fields, "output_tokens"), _cost(fields))


def _gemini(fields: Mapping[str, Any]) -> Usage:
    input_ = _count(fields, "promptTokenCount") + _count(fields, "toolUsePromptTokenCount")
    output = _count(fields, "candidatesTokenCount") + _count(fields, "thoughtsTokenCount")
    return Usage(input_, min(_count(fields, "cachedContentTokenCount"), input_), output)


def _count(fields: Mapping[str, Any], *names: str) -> int:
    for name in names:
        value = fields.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return int(value)
    return 0


def _part(fields: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        if isinstance(value := fields.get(name), Mapping):
            return value
    return {}


def _cost(fields: Mapping[str, Any]) -> float | None:
    """What the provider itself says it cost, in USD."""
    value = fields.get("cost")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
