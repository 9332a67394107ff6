"""Links with a turn that mail services have put into links of their own, once or several times:
each is read in a mail and in place of a file, and a service that alone knows where its link leads
is named."""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from string import ascii_uppercase
from urllib.parse import quote

import pytest

from examples.correspondence import Player
from pbem.fileformat import link, turnfile
from pbem.ledger.gate import replay
from pbem.mail import find_turns, turn_files
from tests.support.mail_kit import Played

Rewriter = Callable[[str], str]


def encoded(text: str) -> str:
    return quote(text, safe="")


def around(before: str, behind: str = "") -> Rewriter:
    """A service that puts the encoded address between these."""
    return lambda text: before + encoded(text) + behind


safelinks = around("https://eur.safelinks.protection.outlook.com/?url=", "&data=05%7C01")


def proofpoint_2(text: str) -> str:
    marked = encoded(text).replace("-", "-2D").replace("_", "-5F").replace("%2F", "_")
    address = marked.replace("%", "-")
    return f"https://urldefense.proofpoint.com/v2/url?u={address}&d=Dw&c=x"


def proofpoint_3(text: str) -> str:
    """A star for each of these letters, one with a length for several in a row; at the end they
    are told."""
    hidden = "".join(re.findall("[#%|]", text))
    told = base64.urlsafe_b64encode(hidden.encode()).decode().rstrip("=")
    stars = re.sub("[#%|]{2,}", lambda run: f"**{ascii_uppercase[len(run[0]) - 2]}", text)
    return f"https://urldefense.com/v3/__{re.sub('[#%|]', '*', stars)}__;{told}!!AB!sig$"


def sophos(text: str) -> str:
    letters = base64.b64encode(text.encode()).decode()
    return f"https://eu.protection.sophos.com?d=example.org&u={letters}&i=1"


def sophos_for_addresses(text: str) -> str:
    letters = base64.urlsafe_b64encode(text.encode()).decode()
    return f"https://eu.protection.sophos.com?u={letters}"


def both(inner: Rewriter, outer: Rewriter) -> Rewriter:
    return lambda text: outer(inner(text))


def times(count: int, one: Rewriter) -> Rewriter:
    return one if count == 1 else both(times(count - 1, one), one)


SERVICES: Mapping[str, Rewriter] = {
    "none": str,
    "safelinks": safelinks,
    "proofpoint 1": around("https://urldefense.proofpoint.com/v1/url?u=", "&k=x"),
    "proofpoint 2": proofpoint_2,
    "proofpoint 3": proofpoint_3,
    "sophos": sophos,
    "barracuda": around("https://linkprotect.cudasvc.com/url?a=", "&c=E,1"),
    "google": around("https://www.google.com/url?q=", "&sa=D"),
    "cisco": around("https://secure-web.cisco.com/1abc/"),
    "fireeye": around("https://protect2.fireeye.com/v1/url?k=a&q=1&u="),
    "an entity": lambda text: text.replace("#", "&#35;"),
    "ampersands": around("https://x.example/?a=1&amp;url=", "&amp;b=2"),
    "proofpoint 2 in safelinks": both(proofpoint_2, safelinks),
    "safelinks in proofpoint 2": both(safelinks, proofpoint_2),
    "proofpoint 3 in safelinks": both(proofpoint_3, safelinks),
    "safelinks in proofpoint 3": both(safelinks, proofpoint_3),
    "proofpoint 3 with several in a row": both(
        around("https://x.example/?||||&url="), proofpoint_3
    ),
    "proofpoint 3 in itself": times(2, proofpoint_3),
    "safelinks, proofpoint 3, safelinks": both(both(safelinks, proofpoint_3), safelinks),
    "safelinks in sophos": both(safelinks, sophos_for_addresses),
    "four safelinks": times(4, safelinks),
}
CARRIERS: Mapping[str, Rewriter] = {
    "as it is": str,
    "quoted-printable": lambda text: quopri.encodestring(text.encode()).decode(),
    "wrapped": lambda text: "\n".join(text[at : at + 70] for at in range(0, len(text), 70)),
}
UNKNOWN = "https://protect-eu.mimecast.com/s/AbC?domain=ann.example.org"


@pytest.fixture(scope="module")
def sent(played: Played) -> str:
    """The link with the newest entry, as the page makes it."""
    file = turnfile.read(played.newest)
    number = replay(turnfile.TurnFile(file.prefix(1), file.entries[:1])).game_id
    return link.turn_link("https://ann.example.org/pbem/", number, file)


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("service", SERVICES)
def test_a_link_that_a_service_has_rewritten_is_read(sent: str, service: str, carrier: str) -> None:
    rewritten = CARRIERS[carrier](SERVICES[service](sent))
    ours = link.read(next(link.links_in(sent.encode())))
    mail = f"From: Ann <ann@example.org>\nSubject: my turn\n\nMy turn:\n{rewritten}\n\nBye!\n"
    assert [one.link for one in find_turns.turns_in(mail.encode(), "x")] == [ours]
    assert [one.link for one in turn_files.look(Path(rewritten))] == [ours], "in place of a file"


@pytest.mark.parametrize("service", ["safelinks", "proofpoint 3", "sophos", "four safelinks"])
def test_a_command_takes_a_rewritten_link(
    played: Played, sent: str, tmp_path: Path, service: str
) -> None:
    ben = Player("Ben", played.homes["tripolitan"].folder, tmp_path, in_process=True)
    code, out, _ = ben.types("show", SERVICES[service](sent))
    assert code == 0 and out


def test_a_service_that_alone_knows_where_its_link_leads_is_named(
    played: Played, tmp_path: Path
) -> None:
    ben = Player("Ben", played.homes["tripolitan"].folder, tmp_path, in_process=True)
    (tmp_path / "mail.eml").write_text(f"From: a@example.org\nSubject: pbem\n\n{UNKNOWN}\n")
    for given in (UNKNOWN, "mail.eml"):
        code, _, said = ben.types("show", given)
        told = f"{said} {ben.types('inbox', given)[1]}"
        assert code == 3 and told.count("(mimecast.com)") == 2, told


def test_a_link_of_a_service_that_nobody_knows_says_what_to_give(
    played: Played, tmp_path: Path
) -> None:
    ben = Player("Ben", played.homes["tripolitan"].folder, tmp_path, in_process=True)
    assert ben.types("show", "https://clicks.example.com/s/AbC")[0] == 3
