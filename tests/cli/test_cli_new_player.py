"""What somebody who plays for the first time types amiss, and what the program says to it."""

from __future__ import annotations

import json

import pytest

from pbem.cli import app
from pbem.home import make_identity
from tests.support.begun_game import BegunGame


def test_answers_without_quotes(begun: BegunGame) -> None:
    code, _, err = begun.ann.types("play", begun.last, "event", "swedish")
    assert code == 2
    assert '"A; B"' in err and "pbem play --help" in err
    assert "pbem show --help" in begun.ann.types("show")[2]


def test_a_summary_in_place_of_the_turn_file(begun: BegunGame) -> None:
    code, _, err = begun.ann.types("show", begun.last.replace(".toml", ".md"))
    assert code == 3 and ".toml" in err


def test_an_order_about_nothing_lists_the_topics_once(begun: BegunGame) -> None:
    err = begun.ann.types("play", begun.last, "event swedish", "--order", "gold: much")[2]
    assert '"gold"' in err
    assert err.count("losses") == 1 and err.rstrip().endswith("; others)")


def test_the_own_key_is_no_opponent(begun: BegunGame) -> None:
    key = begun.ann.does("id")["key"]
    before = begun.listing()
    for wrong in (key, "A" * 43 + "="):
        assert begun.ann.types("new", "tripoli", "--opponent", wrong)[0] == 2, wrong
    assert begun.listing() == before
    assert begun.ann.types("new", "tripoli", "--opponent", begun.ben.does("id")["key"])[0] == 0


def test_more_needed_tells_how_to_look_first(begun: BegunGame) -> None:
    assert "pbem show FILE --after" in begun.ann.types("play", begun.last)[2]


def test_moves_where_a_draw_is_to_be_answered(begun: BegunGame) -> None:
    begun.write("american", "draw", begun.last)
    code, out, err = begun.ben.types("moves", begun.last)
    assert (code, out) == (1, "")
    assert "pbem draw FILE" in err


def test_the_last_turn_is_sent_too(begun: BegunGame) -> None:
    begun.write("american", "resign", begun.last, "--yes")
    code, out, _ = begun.ben.types("play", begun.last)
    assert code == 0 and " Ann" in out.splitlines()[-1] and "proven" in out.splitlines()[-1]
    assert begun.ann.does("verify", begun.last)["result"]["proven"] is False


def test_nobody_resigns_where_nobody_can_be_asked(begun: BegunGame) -> None:
    before = begun.listing()
    code, out, err = begun.ann.types("resign", begun.last)
    assert (code, out) == (1, "") and "--yes" in err
    assert begun.listing() == before


def test_a_message_with_a_signed_turn_is_not_lost_in_silence(begun: BegunGame) -> None:
    begun.write("american", "play", begun.last, "event swedish", "--message", "To sea!")
    again = ["play", begun.files[-2], "--message"]
    code, _, other = begun.ann.types(*again, "To the sea!")
    same = begun.ann.types(*again, "To sea!")[2]
    assert code == 0 and len(other.splitlines()) == len(same.splitlines()) + 1


def test_ctrl_c_is_no_success(
    begun: BegunGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(make_identity, "ask_passphrase", interrupted)
    monkeypatch.setenv("PBEM_HOME", str(begun.folder / "empty"))
    with pytest.raises(SystemExit) as ended:
        app.run(["id", "--name", "Eve", "--passphrase", "--json"])
    assert ended.value.code == 1
    assert "interrupted" in json.loads(capsys.readouterr().out)["error"]
