"""The network as models and tools use it: one HTTP client."""

from __future__ import annotations

import logging
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

SILENCE = 300.0  # seconds without a byte after which a connection counts as dead


@cache
def client() -> httpx.AsyncClient:
    """The client of the process, to be used on the asyncio thread only. It follows no redirects and keeps no
    cookies, so that nothing of one service reaches another."""
    import httpx

    for name in ("httpx", "httpcore"):  # they log whole addresses, with what secrets these hold
        logging.getLogger(name).setLevel(logging.WARNING)
    return httpx.AsyncClient(
        timeout=httpx.Timeout(connect=15, read=SILENCE, write=60, pool=None),
        limits=httpx.Limits(max_connections=None, keepalive_expiry=30),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )
