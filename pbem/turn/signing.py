"""From a draft to the files of a signed turn: the bytes are signed, verified, remembered, and only
then given away, as turn file, public summary and mail beside each other."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.crypto import choices, notes, plans
from pbem.english import numbered
from pbem.errors import Conflict, Do, PbemError, Refused, Typed, Usage, advice
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import MAX_ELEMENTS, Fields
from pbem.fileformat.turnfile import Entry
from pbem.home import attached_files, clock, place
from pbem.home.check_cache import CheckCache
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.identity import UNNAMED, Identity
from pbem.home.memory import Memory
from pbem.ledger.gate import LastSeen
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.plans import opening_of, write_plan
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.mail import links, settings
from pbem.mail.settings import ProgramSource
from pbem.report import render
from pbem.report.facts import report
from pbem.report.model import Report
from pbem.report.standing import over
from pbem.turn import forgotten_entries, open_game, own_report
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.open_game import HomeFile, OpenFile


class Body(NamedTuple):
    """An entry without its signature: its fields in their order, their text, and the digest that a
    signature covers."""

    fields: Fields
    text: bytes
    digest: bytes


def body_of(draft: DraftEntry, before: bytes, date: str, nonce: bytes, received: str = "") -> Body:
    """What the draft appends to the file `before` it; `date` in UTC, `nonce` 32 fresh secret bytes,
    `received` the date on which that file was first seen (docs/format.md, section 15), if it is
    known. Raises `Refused` for more answers than an entry holds (section 2)."""
    fields = draft.contents()
    answers = fields.get("answers")
    if isinstance(answers, list) and len(answers) > MAX_ELEMENTS:
        what = f"a turn holds at most {MAX_ELEMENTS} answers, and these are {len(answers)}"
        raise Refused(
            what, hint="end the turn after fewer of them, and give the others in the next one"
        )
    if draft.ledger.clock.terms is not None and draft.number:
        fields["received"] = received or date
    place = notes.NotePlace(
        draft.ledger.game_id, draft.ledger.seats[draft.seat], sha256(before).digest(), nonce
    )
    if draft.choices:
        places = [choices.ChoicePlace(*place, index) for index in range(len(draft.choices))]
        sealed = [
            choices.seal(draft.secrets.root, *one)
            for one in zip(places, draft.choices, strict=True)
        ]
        fields["choice"] = [b64(commitment) for commitment in sealed]
    if draft.note:
        fields["note"] = b64(notes.seal(draft.secrets.root, place, notes.pad(draft.note)))
    fields |= _plans_in(draft, place)
    fields["seat"] = draft.ledger.seats[draft.seat]
    fields["date"] = date
    fields["nonce"] = b64(nonce)
    fields["position"] = b64(draft.ledger.position_digest())
    fields = turnfile.in_order(fields)
    text = turnfile.write_body(fields)
    return Body(fields, text, turnfile.digest_of(before, text))


def _plans_in(draft: DraftEntry, place: notes.NotePlace) -> Fields:
    """What the entry opens of its player's plans, due or as they like, and what it seals."""
    game, seat, root = draft.ledger, draft.seat, draft.secrets.root
    if "end" in draft.fields:
        return {}
    closed, fields = game.plans.closed(seat), Fields()
    # who leaves opens all (docs/format.md, section 23)
    due = closed if seat in game.left else game.plans.owed(seat, game.deciding())
    wanted = {*draft.opens, *(plan.number for plan in due)}
    if opened := [opening_of(plan, root).line() for plan in closed if plan.number in wanted]:
        fields["opened-plans"] = opened
    first = len(game.plans.of(seat)) + 1
    sealed = [
        write_plan(plans.seal(root, plans.PlanPlace(*place, number), plans.pad(text)), group)
        for number, (text, group) in enumerate(draft.plans, first)
    ]
    if sealed:
        fields["plans"] = sealed
    return fields


def signed_with(body: Body, before: bytes, sign: Callable[[bytes], bytes]) -> bytes:
    """The whole file with the body and its signature; `sign` gives 64 bytes for a message."""
    return before + body.text + turnfile.write_signature(sign(SIGNATURE_TAG + body.digest))


def entry_of(draft: DraftEntry, body: Body, before: bytes, after: bytes, signature: bytes) -> Entry:
    """The entry as a reader of the file `after` it finds it."""
    ends = [sha256(data).digest() for data in (before, after)]
    return Entry(draft.number, body.fields, body.digest, signature, len(after), *ends)


def sign(
    draft: DraftEntry,
    identity: Identity,
    memory: Memory,
    before: bytes,
    nonce: bytes,
    checks: CheckCache,
    verified: tuple[Ledger, LastSeen] | None = None,
    note: Callable[[bytes], object] = lambda _data: None,
) -> bytes:
    """The turn file that a draft makes of the one `before` it; remembered before it is returned.
    `verified` is the game of the file before, which goes on with the entry; without it the whole
    file is checked. `note` is called with the file just before it is remembered: what it writes
    down is there even if the program is killed then.

    Raises a kind of `Invalid` for what the gate would refuse, `Conflict` if another entry was
    signed meanwhile, in this home or another one on this computer, or the home was moved away, and
    `ClockDoubt` if the clock of this machine counts as wrong."""
    memory.check_open()
    memory.check_clock(
        entry.date for entry in draft.ledger.entries if draft.ledger.seat_of(entry) == draft.seat
    )
    received, date = memory.read.first_seen(before, draft.number - 1), clock.now()
    data = signed_with(body_of(draft, before, date, nonce, received), before, identity.sign)
    if verified is None:  # what the gate would refuse is never given to others
        checks.follow(data)
    else:
        checks.extend(*verified, data)
    note(data)
    memory.sign_once(draft.number, data, date)
    return data


def unsigned(draft: DraftEntry, before: bytes, nonce: bytes) -> Ledger:
    """The game as it would be after the draft, for its author to look at; nothing is signed."""
    body = body_of(draft, before, clock.now(), nonce)
    draft.ledger.adopt(entry_of(draft, body, before, before + body.text, b""))
    return draft.ledger


_GIVE_PROGRAM = (
    "They need pbem too, and this mail does not bring it: pbem program writes it as one file,"
    " {file}, to give them; pbem send {game} --to ADDRESS --with-program attaches it."
    " Tell them in another way than by mail that it is from you."
)
_HAS_PROGRAM = (
    "The mail brings the program, {file} ({size}), which large mail services may refuse."
    " Tell them in another way than by mail that it is from you; its SHA-256 is {digest}."
)

_GIVE_LINK = (
    "They need no program: the mail says how to play in their browser. This link says it in a"
    " message of any kind:"
)


class WrittenTurn(NamedTuple):
    """What a command wrote: the next turn file, its summary, and who writes next."""

    file: Path
    summary: Path
    game: Ledger
    mail: Path | None = None
    note: str = ""
    """Why there is no mail, if something went wrong with it, and that the turn could not be noted
    outside of the home.
    """
    story: str = ""
    """What happened with this entry, as everybody may see it."""
    came: str = ""
    """What the rules made of it at once, dice included, where the same player goes on: for their
    eyes."""
    for_newcomers: str = ""
    """What an inviter is to give besides the invitation."""


def signer(home: Home) -> Identity:
    """The player, where something besides a turn may be signed: a seek, a league. Raises `Refused`,
    `ClockDoubt` or `Conflict`."""
    person = home.identity()
    check_named(person)
    place.check_open(home.folder)
    clock.check(home.folder)
    return person


def check_named(person: Identity) -> None:
    """Raises `Refused` where the player has not said what they are called."""
    if person.name == UNNAMED:
        raise Refused(
            "you have not said what you are called, which the others would read",
            hint=Do("id", '--name "Ann"', when="say it"),
        )


def check_folder(folder: Path) -> Path:
    """A folder to write to, looked at before anything is signed. Raises `Usage`."""
    if not files.is_folder(folder):
        raise Usage(
            f"there is no folder {files.printable(folder)}",
            hint=Typed("make it first, or leave --dir out"),
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Usage(
            f"nothing can be written to {files.printable(folder)}",
            hint=("nothing was signed", Typed("--dir names another one")),
        )
    return folder


def look_before_signing(
    opened: OpenFile, home: Home, target: Path, *folders: Path, mail: bool = True
) -> None:
    """Before an entry is signed: check that it was not signed already, by a home that has forgotten
    it or by another home on this computer, and that its files (a `mail` too, if one is to be
    written) have free names in the target. Raises `Conflict`."""
    place.check_open(home.folder)
    forgotten_entries.take_back(opened, home, [target, *folders])
    if isinstance(opened, HomeFile):
        opened.memory.check_here()
    suffixes = [".toml", ".md"]
    if mail and opened.ledger.invitation.is_witnessed():
        suffixes.append(".eml")
    name = stem(opened.ledger, len(opened.file.entries))
    forgotten_entries.check_names(opened, [target / f"{name}{suffix}" for suffix in suffixes])


def write_turn(
    data: bytes,
    folder: Path,
    home: Home,
    *,
    mail: bool = True,
    with_program: bool = False,
    to: Sequence[str] = (),
) -> WrittenTurn:
    """Write a turn file, its public summary and the mail that carries it to the others, or `to`
    these addresses, and brings the program to whoever is invited, if asked to; nothing that exists
    is overwritten. Raises `Conflict` or `Usage`."""
    game, seen = home.checks.follow(data)
    source = _source(game, home, attach=with_program)
    file, summary = folder / f"{stem(game)}.toml", folder / f"{stem(game)}.md"
    files.write_new(file, data)
    facts, own = public_report(game), home.folder / "templates"

    files.write_new(summary, render.render("report.md.j2", facts, own).encode())
    written, note = _write_mail(data, game, seen, file, home, source, to) if mail else (None, "")
    noted = Memory(home, game.game_id).note_here(just_signed=True)
    note = "; ".join(filter(None, [noted, note]))
    story = render.render("written.txt.j2", facts, own).rstrip("\n")
    return WrittenTurn(
        file,
        summary,
        game,
        written,
        note,
        story,
        _came_of_it(data, game, seen, home),
        _for_newcomers(data, game, home, source, has_mail=written is not None),
    )


def write_signed(data: bytes, folder: Path, home: Home, *, mail: bool = True) -> WrittenTurn:
    """As `write_turn`, for an entry that was just signed in a game that others have begun. Raises
    `Conflict` or `Usage`, which say that it is signed all the same, and how its files come to be
    written."""
    try:
        return write_turn(data, folder, home, mail=mail)
    except (Conflict, Usage) as error:
        game = home.checks.follow(data)[0]
        name, turn = short_name(game), numbered(len(game.entries) - 1, game.rules.measure)
        hint = (
            *error.hint,
            "then the same once more writes its files",
            Do("play", name),
            Do("send", name, does="mails it without them"),
        )
        what = f"{error.what}; {turn} is signed all the same, and kept in your home"
        raise type(error)(what, hint=hint) from error


def _came_of_it(data: bytes, game: Ledger, seen: LastSeen, home: Home) -> str:
    """The dice, and what followed from them before the player's next decision, in words. Empty
    where somebody else writes in between."""
    opened = open_game.held_by(home, turnfile.read(data), game, seen)
    if game.playing is None or game.is_over() or game.to_act() != opened.seat:
        return ""
    facts, _ = own_report.facts_for(opened, public=False)
    came = [entry for entry in facts.position.entries if not entry.seat and entry.lines]
    now = replace(facts.with_entries(came), progress=replace(facts.progress, over=None))
    return render.render("written.txt.j2", now, home.folder / "templates").rstrip("\n")


def _write_mail(
    data: bytes,
    game: Ledger,
    seen: LastSeen,
    file: Path,
    home: Home,
    source: ProgramSource | None,
    to: Sequence[str],
) -> tuple[Path | None, str]:
    """Write the mail beside its turn file; one that is there already has to be the same. Returns
    its path, and what went wrong with it: the turn file counts, so that is only reported."""
    from pbem.mail import compose  # loads what makes a mail

    path = file.with_suffix(".eml")
    try:
        page = links.page_for(home, game, data)
        source = source or settings.program_for_newcomers(home, game)
        message = compose.compose(
            data,
            game,
            seen,
            file.name,
            home.folder / "templates",
            compose.Forward(game.seat_of(game.entries[-1]), tuple(to)) if to else None,
            source,
            page,
            attached_files.contents_with(Memory(home, game.game_id).folder, game.entries[-1]),
        )
        if message is None:
            return None, ""
        files.write_new(path, message)
    except PbemError as error:
        return None, f"no mail was written: {error}"
    return path, ""


def _source(game: Ledger, home: Home, *, attach: bool) -> ProgramSource | None:
    """Where whoever is invited gets the program; None where mail.toml cannot be read, which is told
    where a mail is written. Raises `Usage` if it is to be attached and cannot be made."""
    if attach:
        return settings.program_for_newcomers(home, game, attach=True)
    with contextlib.suppress(PbemError):
        return settings.program_for_newcomers(home, game)
    return None


def _for_newcomers(
    data: bytes, game: Ledger, home: Home, source: ProgramSource | None, *, has_mail: bool
) -> str:
    """What an inviter is to give besides the invitation; nothing if the mail names an address of
    the program. A page in which the others play has its link instead, where that fits."""
    if len(game.entries) > 1 or not game.free_seats():
        return ""
    # whatever is wrong with mail.toml is told where a mail is written
    with contextlib.suppress(PbemError):
        if (page := links.page_for(home, game, data)).address:
            return f"{_GIVE_LINK}\n{page.link}" if page.link else ""
    are_known = all(map(game.invitation.is_kept, game.free_seats()))
    if source is None or source.address or (are_known and not source.data):
        return ""  # whoever has a key has the program
    if source.data and has_mail:
        size = f"{len(source.data) / 1_000_000:.1f} MB"
        return _HAS_PROGRAM.format(
            file=source.file, size=size, digest=sha256(source.data).hexdigest()
        )
    return advice(Typed(_GIVE_PROGRAM.format(file=source.file, game=short_name(game))))


def next_step(game: Ledger, what: str = "file") -> str:
    """What to do with a turn that was just written, of which the player sees a `what`."""
    turn = game.to_act()
    if not game.invitation.is_witnessed():
        if turn is None:
            is_by_hand = game.playing is not None and game.playing.is_by_hand()
            unproven = " and unproven, with dice that were entered by hand" if is_by_hand else ""
            return f"The game is over{unproven}; it is unwitnessed."
        goes_on = advice(Typed(f": {Do('play', short_name(game), does='goes on')}"))
        return (
            f"Nobody else is needed, so there is no mail{goes_on}. No friend proves the dice: it is"
            " unwitnessed."
        )
    names, author = player_names(game), game.seat_of(game.entries[-1])
    others = [
        name for seat, name in enumerate(names) if seat != author and game.players[seat] is not None
    ]
    whom = others[0] if len(others) == 1 else "the others"
    if turn is None:
        proven = (
            " and proven" if (end := over(game)) is not None and end.rests_on == "roots" else ""
        )
        return f"Send the {what} to {whom}; the game is over{proven}."
    free = game.free_seats()
    if turn not in free and [names[turn]] == others:
        return f"Send the {what} to {whom}, whose turn it is."
    if turn not in free:
        return (
            f"Send the {what} to {whom}; the game waits for"
            f" {'you' if turn == author else names[turn]}."
        )
    host = game.invitation.host
    if author != host:
        return f"Send the {what} to {names[host]}, who passes it on to whoever takes the next seat."
    if len(free) > 1:
        return (
            f"Send the {what} to one player, who takes the next seat; the one after joins on that"
            " player's file."
        )
    if game.invitation.is_kept(free[0]):
        return f"Send the {what} to the player for whom the seat is kept."
    return f"Send the {what} to whoever is to play with you."


def stem(game: Ledger, number: int | None = None) -> str:
    """What the names of the files of an entry begin with; of the newest, if no number is given."""
    return f"{short_name(game)}-{len(game.entries) - 1 if number is None else number:04}"


def public_summary(game: Ledger, home: Home) -> str:
    """The Markdown summary of the newest entry, as everybody may see it."""
    return render.render("report.md.j2", public_report(game), home.folder / "templates")


def public_report(game: Ledger) -> Report:
    """The report of the newest entry, as everybody may see it."""
    return report(game, None, game.public_faces(), len(game.entries) - 1)
