"""Who may talk to the table: the browser that was given the token, from the table's own pages, and
nobody else.

A page of another site can make a browser send requests to this machine, by a form, by a script, or
by a name that it lets point here (DNS rebinding). So each request is held against these laws before
anything else looks at it:

1. `Host` is this very address and port.
2. `Origin`, where there is one, is this very origin; a request that is not a GET has one.
3. `Sec-Fetch-Site`, where there is one, is `same-origin`; for a GET navigation `none` is allowed as
   well.
4. The cookie holds the secret that the token was exchanged for. Its name contains the port: cookies
   ignore ports, and two tables in one browser must not meet.

The token stands in the address that `pbem table` prints. It is good for one exchange; nothing
secret stands in any address after that.
"""

from __future__ import annotations

import hmac
import re
import secrets
from urllib.parse import parse_qs

from pbem.table.request import Headers, PageAnswer, leads_to, plain

MAX_TOKEN = 200
_PAGE = re.compile(r"/(game/[a-z0-9-]+)?\Z")
"""Addresses to which the browser may be led after the exchange; anything else could be another
site."""

HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    # with no-referrer a form of the own page has the origin "null" (Fetch, 3.2)
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src"
    " 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
"""The Content-Security-Policy of every page that sets none of its own."""


class Guard:
    """Holds requests against the four laws, for this port of this machine. `token` is for the
    address that is printed; it is good once."""

    def __init__(self, port: int, token: str) -> None:
        self._host = f"127.0.0.1:{port}"
        self._origin = f"http://{self._host}"
        self._cookie = f"pbem-table-{port}"
        self._token: str | None = token
        self._secret = secrets.token_urlsafe(32)

    def stop(self, method: str, path: str, query: bytes, headers: Headers) -> PageAnswer | None:
        """The answer to a request that must not reach the pages; None for a request that may."""
        refusal = self._what_is_wrong(method, headers)
        if refusal is not None:
            return plain(refusal + "\n", 403)
        exchanged = self._exchange(method, path, query)
        if exchanged is not None:
            return exchanged
        if not self._has_secret(headers):
            words = (
                "This address is for the browser that pbem table opened.\nStart pbem table again"
                " for a new one.\n"
            )
            return plain(words, 403)
        return None

    def _what_is_wrong(self, method: str, headers: Headers) -> str | None:
        """Why a request is none of the table's own pages (laws 1 to 3); None if it may be one."""
        if _all(headers, "host") != [self._host]:
            return "not this host"
        origins = _all(headers, "origin")
        if origins not in ([], [self._origin]) or (not origins and method not in ("GET", "HEAD")):
            return "not from this page"
        site = _all(headers, "sec-fetch-site")
        is_navigation = (
            method == "GET"
            and site == ["none"]
            and "navigate" in _all(headers, "sec-fetch-mode")[:1]
        )
        if site not in ([], ["same-origin"]) and not is_navigation:
            return "not from this page"
        return None

    def _exchange(self, method: str, path: str, query: bytes) -> PageAnswer | None:
        """The cookie for the token, and the way to the page itself without it."""
        given = parse_qs(query[:MAX_TOKEN].decode("latin-1")).get("token", [""])[0]
        if method != "GET" or not given:
            return None
        answer = leads_to(path if _PAGE.match(path) else "/")
        if self._token is not None and hmac.compare_digest(given.encode(), self._token.encode()):
            self._token = None
            cookie = f"{self._cookie}={self._secret}; HttpOnly; Path=/; SameSite=strict"
            return PageAnswer(answer.status, {**answer.headers, "set-cookie": cookie}, answer.body)
        # a token that was used already leads on as well: whoever has the cookie gets the page
        return answer

    def _has_secret(self, headers: Headers) -> bool:
        """Law 4; of several cookies of this name the last counts."""
        pairs = [
            part.strip().partition("=") for part in "; ".join(_all(headers, "cookie")).split(";")
        ]
        given = [value for name, _, value in pairs if name == self._cookie]
        return bool(given) and hmac.compare_digest(given[-1].encode(), self._secret.encode())


def _all(headers: Headers, name: str) -> list[str]:
    return [value for known, value in headers if known == name]


def with_policy(answer: PageAnswer) -> PageAnswer:
    """The answer with the headers that every one has; a policy of its own stays."""
    return PageAnswer(
        answer.status, {**HEADERS, "content-security-policy": POLICY, **answer.headers}, answer.body
    )
