"""What a button of the game page does to the turn in the making (`pbem.turn.draft`), up to the
signature."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from pbem import files
from pbem.english import capital, size
from pbem.errors import PbemError, Refused
from pbem.fileformat.characters import normalize_pasted, strip_hidden
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.home import attached_files
from pbem.home.clock import ClockDoubt
from pbem.home.memory import ForgottenTurn
from pbem.table import home_page, mail_preview
from pbem.table.choices import joined, takes_back
from pbem.table.game_page import Reply
from pbem.table.home_page import in_words, number_in
from pbem.table.open_games import OpenGame, OpenGames
from pbem.turn import joining, leaving, open_game, outgoing, prepared, signing, take_turn
from pbem.turn.ahead import AheadDraft
from pbem.turn.draft import Draft
from pbem.turn.draft_lines import DRAWS, answers_in
from pbem.turn.extras import WILL_BE_REVEALED
from pbem.turn.questions import seated

Form = Mapping[str, str]
MAX_ANSWERS = 50


def do(games: OpenGames, game: OpenGame, form: Form) -> tuple[OpenGame, Reply]:
    """Do what a button asks for. Returns the game after it, and what to answer the player. A page
    that is out of date changes nothing, and no text that came with it is lost."""
    if form.get("mark") != game.mark():
        notice = (
            "This page was behind: the turn was changed elsewhere. Nothing was done; this is how it"
            " stands now."
        )
        return game, Reply(refusal=notice, unkept=_unkept(game, form))
    try:
        _keep_words(game, form)
        for name, step in _STEPS.items():
            if name in form:
                after, reply = step(games, game, form)
                return after, reply if reply.signed else replace(reply, unkept=_unkept(after, form))
    except ForgottenTurn:  # a page of its own asks what the player knows of it
        raise
    except PbemError as error:
        after = games.find(game.name)
        in_doubt = isinstance(error, ClockDoubt)
        return after, Reply(
            refusal=in_words(error),
            clock_in_doubt=in_doubt,
            unkept=_unkept(after, form),
            entered=form,
        )
    return game, Reply(refusal="this button asks for nothing that the table knows")


def foreseen(games: OpenGames, game: OpenGame, form: Form) -> tuple[OpenGame, Reply] | None:
    """What `do` will bring for an answer, or for one that is taken back; nothing is changed. None
    for any other step, and where it will be refused."""
    if game.draft is None or not {"answer", "back"} & form.keys():
        return None
    trial = replace(game, draft=game.draft.trial(), notices=[])
    after, reply = do(games, trial, form)
    return (after, reply) if after is trial and not reply.refusal else None


def keep_words(game: OpenGame, form: Form) -> dict[str, object]:
    """Keep what stands in the text fields of a page while it is being written. Returns the page's
    mark from then on, and what is wrong with each text; only `behind` for a page that is out of
    date."""
    if form.get("mark") != game.mark() or game.draft is None:
        return {"behind": True}
    try:
        _keep_words(game, form)
    except PbemError as error:
        return {"mark": game.mark(), "problem": in_words(error)}
    problems = {name: in_words(error) for name, error in game.draft.problems_of_texts().items()}
    return {"mark": game.mark(), "problems": problems, "unkept": list(_unkept(game, form))}


def _keep_words(game: OpenGame, form: Form) -> None:
    """Keep what stands in the text fields with the turn, whichever button is pressed: nobody signs
    without the message that they see. A text that no file may hold is kept as well, and the page
    says what is wrong with it."""
    for name, words in _texts_of(form).items():
        if game.draft is not None and words != getattr(game.draft.line, name):
            with suppress(Refused):
                (game.draft.say if name == "message" else game.draft.note)(words)


def _texts_of(form: Form) -> dict[str, str]:
    return {
        name: normalize_pasted(form[name]).strip("\n")
        for name in ("message", "note")
        if name in form
    }


def _unkept(game: OpenGame, form: Form) -> dict[str, str]:
    """The texts of a form that the turn does not hold as they came. The page shows them, so that
    they can be copied."""
    line = game.draft.line if game.draft is not None else None
    return {
        name: words
        for name, words in _texts_of(form).items()
        if words and words != getattr(line, name, "")
    }


def _draft_of(game: OpenGame) -> Draft:
    if game.draft is None:
        raise Refused("it is not your turn")
    return game.draft


def _on_turn(
    step: Callable[[Draft, Form], str],
) -> Callable[[OpenGames, OpenGame, Form], tuple[OpenGame, Reply]]:
    """A step that changes the turn in the making, and what the page says of it."""

    def done(_games: OpenGames, game: OpenGame, form: Form) -> tuple[OpenGame, Reply]:
        draft = _draft_of(game)
        said = step(draft, form)
        game.notices += draft.news()
        return game, Reply(said=said)

    return done


def _answer(draft: Draft, form: Form) -> str:
    if draft.line.answers and takes_back(draft.point(), form["answer"]):
        return _back(draft, {"back": "1"})  # what is not signed yet goes, and leaves nothing behind
    if (both := joined(draft.point(), form["answer"])) is not None:
        before = _back(draft, {"back": "1"})
        return "; ".join(draft.answer(both)) if both else before
    return "; ".join(draft.answer(form["answer"]))


def _type(draft: Draft, form: Form) -> str:
    answers = answers_in(form["type"])
    if len(answers) > MAX_ANSWERS:
        raise Refused(f"{len(answers)} answers at once: at most {MAX_ANSWERS}")
    if len(answers) == 1:
        return _answer(draft, {"answer": answers[0]})
    return "; ".join(draft.answer(*answers)) if answers else ""


def _back(draft: Draft, form: Form) -> str:
    return "taken back: " + "; ".join(
        draft.back(number if (number := number_in(form["back"])) is not None else 1)
    )


def _order(draft: Draft, form: Form) -> str:
    text = form.get("order", "").strip()
    if not text:
        raise Refused("the order is empty", hint="a topic, a colon, and what to do")
    draft.order(text)
    return f"order given: {text}"


def _drop_order(draft: Draft, form: Form) -> str:
    index = number_in(form["drop-order"])
    draft.drop_order(-1 if index is None else index)
    return "the order is left out"


def _message(draft: Draft, _form: Form) -> str:
    return (
        "the message goes with the turn" if draft.line.message else "no message goes with the turn"
    )


def _note(draft: Draft, _form: Form) -> str:
    return f"note kept: {WILL_BE_REVEALED}" if draft.line.note else "no note is kept"


def attach(game: OpenGame, name: str, data: bytes) -> str:
    """Let bytes with this name go with the turn as a file; what is to be said of it. Raises
    `Refused` or `Usage`."""
    chosen = attached_files.chosen_bytes(name, data)
    draft = _draft_of(game)
    draft.attach(chosen)
    game.notices += draft.news()
    return f"{chosen.file.name}, {size(chosen.file.size)}, goes with the turn"


def _drop_file(draft: Draft, form: Form) -> str:
    index = number_in(form["drop-file"])
    draft.detach(-1 if index is None else index)
    return "the file is left out"


def _seal_plan(draft: Draft, form: Form) -> str:
    text, group = form.get("plan", "").strip(), form.get("group", "").strip()
    if not text:
        raise Refused("the plan is empty", hint="write what you intend, in one line")
    if group:
        draft.seal_together(f"{group}: {text}")
    else:
        draft.seal(text)
    return "the plan is sealed in this turn"


def _drop_plans(draft: Draft, _form: Form) -> str:
    draft.seal("")
    draft.seal_together("")
    return "the turn seals no plan"


def _open_plan(draft: Draft, form: Form) -> str:
    """Open a plan with the turn, or leave it closed again."""
    number, opens = form["open-plan"], draft.line.opens
    draft.open_plans(*(one for one in opens if one != number), *([number] * (number not in opens)))
    return f"plan {number} {'stays sealed' if number in opens else 'is opened with this turn'}"


def _prepare(_games: OpenGames, game: OpenGame, form: Form) -> tuple[OpenGame, Reply]:
    """Play ahead what they may play and what the player answers; keep it, or leave it. The turn in
    the making, if there is one, stays as it is."""
    opened, draft, what = seated(game.opened), game.draft, form["prepare"]
    ahead = draft if isinstance(draft, AheadDraft) else None
    if what == "play" and ahead is None:
        game.draft = AheadDraft(opened, draft)
        return game, Reply(said="what may they play?")
    if ahead is None:
        raise Refused("nothing is played ahead")
    said = "nothing was prepared"
    if what == "keep":
        said = f"prepared: {'; '.join(ahead.keep())}"
    game.draft = ahead.own
    return game, Reply(said=said)


def _drop_prepared(_games: OpenGames, game: OpenGame, form: Form) -> tuple[OpenGame, Reply]:
    """Take back what is prepared: with the turn in the making all of it, else the answer of this
    number."""
    opened = seated(game.opened)
    if form["drop-prepared"] == "line":
        _draft_of(game).prepare("")
    else:
        prepared.take_back(opened.memory, opened.file, [form["drop-prepared"]])
    return game, Reply(said="it is no longer prepared")


def _leave_out(draft: Draft, form: Form) -> str:
    """Take out of a text what no file may hold."""
    if form["leave-out"] == "note":
        draft.note(strip_hidden(draft.line.note))
    else:
        draft.say(strip_hidden(draft.line.message))
    return "the characters are left out"


def _draw(draft: Draft, form: Form) -> str:
    draft.draw(form["draw"] if form["draw"] in DRAWS else "")
    return f"a draw: {form['draw']}" if form["draw"] else "nothing is said of a draw"


def _line(draft: Draft, form: Form) -> str:
    what = form["line"]
    if what == "new":
        draft.begin_line()
    elif (number := number_in(what)) is not None:
        draft.choose_line(number)
    return "another line"


def _drop_line(draft: Draft, form: Form) -> str:
    number = number_in(form["drop-line"])
    if number is None:
        raise Refused("there is no such line")
    draft.drop_line(number)
    return "the line is forgotten"


def _preview(games: OpenGames, game: OpenGame, _form: Form) -> tuple[OpenGame, Reply]:
    summary = _draft_of(game).preview()
    game.notices += summary.warnings
    return game, Reply(
        said="preview",
        preview=mail_preview.headers(game, summary.game, games.home) or ["Nobody gets a mail"],
    )


def _sign(
    games: OpenGames, game: OpenGame, _form: Form, *, resign: bool = False
) -> tuple[OpenGame, Reply]:
    draft = _draft_of(game)
    return _written(games, game, lambda: draft.sign(resign=resign), "signed")


def _written(
    games: OpenGames, game: OpenGame, sign: Callable[[], bytes], said: str
) -> tuple[OpenGame, Reply]:
    """Sign and write the files, after making sure that they can be written and that this turn was
    not signed before."""
    signing.check_folder(games.folder)
    signing.look_before_signing(game.opened, games.home, games.folder)
    written, data = take_turn.write_turns(sign(), games.folder, games.home)
    reply = Reply(said=f"{said}; the turn file is {written.file.name}", signed=True)
    return games.signed(game, written, data), reply


def _resign(games: OpenGames, game: OpenGame, form: Form) -> tuple[OpenGame, Reply]:
    if form["resign"] == "yes":
        return _sign(games, game, form, resign=True)
    _draft_of(game)
    return game, Reply(
        confirm=leaving.consequences(game.opened)
        or "You resign: the game ends with this turn, as lost."
    )


def _join(games: OpenGames, game: OpenGame, form: Form) -> tuple[OpenGame, Reply]:
    if home_page.is_unnamed(games.home):
        home_page.introduce(games.home, form)
        games.close(game.name)
        game = games.find(game.name)
    opened = open_game.open_in(games.home, game.data)
    notes = games.before_join(games.home, opened.ledger)
    game, reply = _written(games, game, lambda: joining.join(opened, games.home), "you have joined")
    game.notices += notes
    return game, reply


def _send(games: OpenGames, game: OpenGame, form: Form) -> tuple[OpenGame, Reply]:
    """Send the mail of a turn, unless one went out since the page was made: whoever clicks twice,
    or in two windows, sends it once."""
    written = game.written
    mail = files.read_bytes(written.mail, MAX_MESSAGE) if written and written.mail else b""
    try:
        last = float(form["send"])
    except ValueError:
        last = 0.0
    try:
        went, note = outgoing.send(
            games.home,
            game.data,
            mail=mail,
            warn=game.notices.append,
            begun=math.nextafter(last, math.inf),
        )
    except outgoing.SentElsewhere as error:
        if outgoing.is_unsent(games.home, game.opened):
            raise
        sent = f"{capital(error.what)}; nothing was sent twice"
        return game, Reply(said=sent, sent=sent)
    sent = f"Sent to {', '.join(went)}"
    return game, Reply(said=sent, sent=f"{sent}. {note}" if note else sent)


def _sent(games: OpenGames, game: OpenGame, _form: Form) -> tuple[OpenGame, Reply]:
    """The player says that they sent the turn another way."""
    outgoing.sent_by_hand(games.home, game.data)
    sent = "Noted as sent; the list of your games asks for it no more"
    return game, Reply(said=sent, sent=sent)


_STEPS: dict[str, Callable[[OpenGames, OpenGame, Form], tuple[OpenGame, Reply]]] = {
    "answer": _on_turn(_answer),
    "back": _on_turn(_back),
    "drop-order": _on_turn(_drop_order),
    "give-order": _on_turn(_order),
    "drop-file": _on_turn(_drop_file),
    "drop-line": _on_turn(_drop_line),
    "drop-plans": _on_turn(_drop_plans),
    "seal-plan": _on_turn(_seal_plan),
    "open-plan": _on_turn(_open_plan),
    "line": _on_turn(_line),
    "draw": _on_turn(_draw),
    "prepare": _prepare,
    "drop-prepared": _drop_prepared,
    "preview": _preview,
    "sign": _sign,
    "resign": _resign,
    "join": _join,
    "send": _send,
    "sent": _sent,
    "leave-out": _on_turn(_leave_out),
    "say": _on_turn(_message),
    "keep-note": _on_turn(_note),
    "type": _on_turn(_type),
}
"""The steps by the name of their button or field; of several in a form the first counts."""
