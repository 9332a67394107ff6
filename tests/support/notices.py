"""Notices that a mail did not arrive (RFC 3464), as mail systems write them."""

from __future__ import annotations


def postfix(mail: bytes, to: str, status: str, action: str = "failed") -> bytes:
    """As Postfix writes a notice, with the whole mail."""
    head, fields = _notice("mail.example.org", to, status, action)
    return (
        head
        + fields
        + b"\n--B\nContent-Description: Undelivered Message\nContent-Type: message/rfc822\n\n"
        + mail
        + b"\n--B--\n"
    )


def headers_only(mail: bytes, to: str, status: str, action: str = "failed") -> bytes:
    """The same with the headers alone."""
    head, fields = _notice("mail.example.org", to, status, action)
    returned = mail.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return (
        head + fields + b"\n--B\nContent-Type: text/rfc822-headers\n\n" + returned + b"\n\n--B--\n"
    )


def exchange(mail: bytes, to: str, status: str, action: str = "failed") -> bytes:
    """Two recipients in one notice, the first of whom is nobody of ours; lines end as on
    Windows."""
    whole = postfix(mail, to, status, action).replace(b"\r\n", b"\n")
    other = (
        b"\n\nFinal-Recipient: RFC822; somebody@example.net\nAction: failed\nStatus:"
        b" 5.7.1\n\nFinal-Recipient:"
    )
    return whole.replace(b"\n\nFinal-Recipient:", other, 1).replace(b"\n", b"\r\n")


def _notice(reporter: str, to: str, status: str, action: str) -> tuple[bytes, bytes]:
    head = (
        f"Return-Path: <>\nFrom: MAILER-DAEMON@{reporter}\nTo: ann@example.org\nSubject:"
        " Undelivered Mail\nAuto-Submitted: auto-replied\nMIME-Version: 1.0\nContent-Type:"
        ' multipart/report; report-type=delivery-status;\n\tboundary="B"\n\n--B\nContent-Type:'
        " text/plain\n\nI'm sorry.\n\n--B\nContent-Type:"
        f" message/delivery-status\n\nReporting-MTA: dns; {reporter}\nArrival-Date: Wed, 25 Nov"
        " 2026 10:00:00 +0000 (UTC)\n\n"
    )
    fields = f"Final-Recipient: rfc822; {to}\nAction: {action}\nStatus: {status}\n"
    return head.encode(), f"{fields}Diagnostic-Code: smtp; 550 \x1b[2J go away\n".encode()
