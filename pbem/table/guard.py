"""Who may talk to the table: the browser that was given the token, from the table's own pages, and nobody else.

A page of another site can make a browser send requests to this machine, by a form, by a script, or by a name that it
lets point here (DNS rebinding). So each request is held against these laws before anything else looks at it:

1. `Host` is this very address and port.
2. `Origin`, where there is one, is this very origin; a request that is not a GET has one.
3. `Sec-Fetch-Site`, where there is one, is `same-origin`; for a GET navigation `none` is allowed as well.
4. The cookie holds the secret that the token was exchanged for. Its name contains the port: cookies ignore ports, and
   two tables in one browser must not meet.

The token stands in the address that `pbem table` prints. It is good for one exchange; nothing secret stands in any
address after that.
"""

from __future__ import annotations

import hmac
import re
import secrets
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_TOKEN = 200
_PAGE = re.compile(r"/(game/[a-z0-9-]+)?\Z")
"""Where the way leads on to after the exchange; anything else could be another site."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "Referrer-Policy": "same-origin",  # with no-referrer a form of the own page has the origin "null" (Fetch, 3.2)
    "X-Content-Type-Options": "nosniff",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of every page that sets none of its own."""


class Guard:
    """The application behind the four laws. `token` is for the address that is printed, once."""

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._host = f"127.0.0.1:{port}"
        self._origin = f"http://{self._host}"
        self._cookie = f"pbem-table-{port}"
        self._token: str | None = token
        self._secret = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._what_is_wrong(scope["method"], headers)
        if refusal is not None:
            await _with_headers(PlainTextResponse(refusal + "\n", 403), scope, receive, send)
        elif (exchanged := self._exchange(scope)) is not None:
            await _with_headers(exchanged, scope, receive, send)
        elif not self._has_secret(headers):
            words = "This address is for the browser that pbem table opened.\nStart pbem table again for a new one.\n"
            await _with_headers(PlainTextResponse(words, 403), scope, receive, send)
        else:
            await _with_headers(self._app, scope, receive, send)

    def _what_is_wrong(self, method: str, headers: Headers) -> str | None:
        """Why a request is none of the table's own pages (laws 1 to 3); None if it may be one."""
        if headers.getlist("host") != [self._host]:
            return "not this host"
        origins = headers.getlist("origin")
        if origins not in ([], [self._origin]) or (not origins and method not in ("GET", "HEAD")):
            return "not from this page"
        site = headers.getlist("sec-fetch-site")
        is_navigation = method == "GET" and site == ["none"] and headers.get("sec-fetch-mode") == "navigate"
        if site not in ([], ["same-origin"]) and not is_navigation:
            return "not from this page"
        return None

    def _exchange(self, scope: Scope) -> Response | None:
        """The cookie for the token, and the way to the page itself without it."""
        given = parse_qs(scope["query_string"][:MAX_TOKEN].decode("latin-1")).get("token", [""])[0]
        if scope["method"] != "GET" or not given:
            return None
        path = scope["path"] if _PAGE.match(scope["path"]) else "/"
        answer = Response(status_code=303, headers={"Location": path})
        if self._token is not None and hmac.compare_digest(given.encode(), self._token.encode()):
            self._token = None
            answer.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict", path="/")
        return answer  # a token that was used already leads on as well: whoever has the cookie gets the page

    def _has_secret(self, headers: Headers) -> bool:
        given = cookie_parser(headers.get("cookie", "")).get(self._cookie, "")
        return hmac.compare_digest(given.encode(), self._secret.encode())


async def _with_headers(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Run it with the headers that every answer has; a policy of its own stays."""

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in message["headers"]}
            for name, value in {**_HEADERS, "Content-Security-Policy": POLICY}.items():
                if name.lower().encode() not in known:
                    message["headers"] = [*message["headers"], (name.lower().encode(), value.encode())]
        await send(message)

    await app(scope, receive, send_on)
