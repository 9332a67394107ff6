"""What each command does when it works, and the keys that scripts may rely on."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from examples.correspondence import preferring
from pbem.games import registry
from tests.support import starter
from tests.support.begun_game import BegunGame
from tests.support.golden_words import Golden

PROMISED = {
    "new": {"file", "summary", "to_act"},
    "join": {"file", "summary", "to_act"},
    "play": {"file", "summary", "to_act"},
    "moves": {"seat", "options", "complete"},
    "show": {"game", "entry", "seat", "hand", "board", "asked", "over"},
    "verify": {"ok", "entries", "rolls", "openings", "result", "error"},
    "dice": {"rolls"},
}


def test_json_is_one_object_with_the_promised_keys(begun: BegunGame) -> None:
    entered = {
        "new": ["new", "tripoli", "--seat", "tripolitan", "--hidden-discard"],
        "moves": ["moves", begun.last],
        "show": ["show", begun.last],
        "verify": ["verify", begun.last],
        "dice": ["dice", begun.last],
        "play": ["play", begun.last, "event swedish"],
    }
    for command, arguments in entered.items():
        code, out, err = begun.ann.types(*arguments, "--json")
        assert (code, err) == (0, ""), command
        assert out.count("\n") == 1 and out.endswith("\n"), command
        assert json.loads(out).keys() >= PROMISED[command], command
    facts = json.loads(begun.ann.types("new", "tripoli", "--json")[1])
    code, out, _ = begun.ben.types("join", facts["file"], "--json")
    joined = json.loads(out)
    assert code == 0 and joined.keys() >= PROMISED["join"]
    assert joined["to_act"] == "american"


def test_the_same_from_a_process_of_its_own(begun: BegunGame) -> None:
    code, out, err = starter.types(begun.ann.home, begun.folder, "show", begun.last, "--json")
    assert (code, err) == (0, "") and json.loads(out) == begun.ann.does("show", begun.last)


def test_show_has_board_hand_and_question(begun: BegunGame) -> None:
    facts = begun.ann.does("show", begun.last)
    assert (facts["game"], facts["entry"], facts["seat"]) == ("tripoli", 3, "american")
    assert facts["board"]["Tripoli Patrol Zone"] == {"us_frigates": 3}
    assert len(facts["hand"]) == 6
    assert facts["asked"]["seat"] == "american" and facts["to_act"] == "american"
    assert facts["over"] is None


def test_the_public_view_has_nothing_of_either_hand(begun: BegunGame) -> None:
    hands = set(begun.ann.does("show", begun.last)["hand"]) | set(
        begun.ben.does("show", begun.last)["hand"]
    )
    for form in ("text", "md", "json"):
        shown = [
            player.types("show", begun.last, "--public", "--format", form)[1]
            for player in begun.players.values()
        ]
        shown.append(begun.stranger().types("show", begun.last, "--format", form)[1])
        assert shown[0] == shown[1] == shown[2]
        assert not [name for name in hands if name in shown[0]]
        assert (
            "Thomas Jefferson"
            in begun.ann.types("show", begun.files[1], "--public", "--format", form)[1]
        )


def test_a_player_sees_his_own_hand_only(begun: BegunGame) -> None:
    for player, other in ((begun.ann, begun.ben), (begun.ben, begun.ann)):
        theirs = other.does("show", begun.last)["hand"]
        for form in ("text", "md", "json"):
            _, shown, _ = player.types("show", begun.last, "--format", form)
            assert all(name in shown for name in player.does("show", begun.last)["hand"])
            assert not [name for name in theirs if name in shown]


def test_formats(begun: BegunGame) -> None:
    assert begun.ann.types("show", begun.last, "--format", "md")[1].startswith("# ")
    text = begun.ann.types("show", begun.last)[1]
    assert all(card in text for card in begun.ann.does("show", begun.last)["hand"])
    happened = text.split("What happened")[1].split("\n\n")[0]
    assert "Murad Reis" in happened
    assert "Thomas Jefferson" not in happened, "told since the own last entry"
    assert json.loads(begun.ann.types("show", begun.last, "--format", "json")[1])["entry"] == 3


def test_moves_after_an_answer(begun: BegunGame) -> None:
    facts = begun.ann.does("moves", begun.last)
    assert facts["seat"] == "american" and facts["complete"] is False
    assert "event Swedish Frigates Arrive" in facts["options"]
    done = begun.ann.does("moves", begun.last, "--after", "event swedish")
    assert done["complete"] is True and done["options"] == []


def test_every_listed_move_is_taken_as_it_is_listed(begun: BegunGame) -> None:
    for option in begun.ann.does("moves", begun.last)["options"]:
        after = begun.ann.asks("moves", begun.last, "--after", option)
        assert "error" not in after, option
        shouted = begun.ann.asks("moves", begun.last, "--after", option.upper() + " !")
        assert shouted == after


def test_an_unfinished_answer_lists_the_options_and_writes_nothing(begun: BegunGame) -> None:
    before = begun.listing()
    move = next(
        o for o in begun.ann.does("moves", begun.last)["options"] if o.startswith("move with")
    )
    facts = begun.ann.asks("play", begun.last, move)
    assert facts["exit"] == 1
    assert facts["options"] == begun.ann.does("moves", begun.last, "--after", move)["options"]
    code, out, err = begun.ann.types("play", begun.last, move)
    assert (code, out) == (1, "")
    assert facts["options"][0] in err
    assert begun.listing() == before


def test_a_dry_run_writes_nothing(begun: BegunGame) -> None:
    before = begun.listing()
    code, out, err = begun.ann.types("play", begun.last, "event swedish", "--dry-run")
    assert (code, err) == (0, "")
    assert "Swedish Frigates Arrive" in out
    facts = begun.ann.does("play", begun.last, "event swedish", "--dry-run")
    assert facts["file"] is None and facts["to_act"] == "tripolitan"
    assert facts["summary"] == out.rstrip("\n") + "\n"
    assert begun.listing() == before
    assert begun.ann.does("play", begun.last, "event swedish")["file"].endswith("-0004.toml")


def test_asked_again_the_same_bytes(begun: BegunGame, tmp_path: Path) -> None:
    first = begun.write("american", "play", begun.last, "event swedish")
    again = begun.ann.does("play", begun.files[3], "event swedish", "--dir", str(tmp_path))
    assert Path(again["file"]).read_bytes() == (begun.folder / first["file"]).read_bytes()
    lost = begun.folder / first["file"]
    data = lost.read_bytes()
    lost.unlink()
    assert begun.ann.does("play", begun.files[3])["file"] == first["file"]
    assert lost.read_bytes() == data


def test_play_prints_its_paths_and_whom_to_send_it_to(begun: BegunGame) -> None:
    code, out, err = begun.ann.types("play", begun.last, "event swedish", "--message", "Yours")
    assert (code, err) == (0, "")
    file, summary, mail, told, said = out.splitlines()
    assert (begun.folder / file).is_file() and "Yours" in (begun.folder / summary).read_text(
        encoding="utf-8"
    )
    assert mail == file.replace(".toml", ".eml") and (begun.folder / mail).is_file()
    assert "Swedish Frigates" in told
    assert " Ben" in said


def test_it_is_said_when_only_a_proof_is_owed(begun: BegunGame, golden: Golden) -> None:
    """A player with nothing to decide must still write, or both would wait for ever."""
    # or Ann would be asked at each raid on her frigates
    passed = "Lieutenant Sterett in Pursuit: decline"
    begun.write("american", "play", begun.last, "event swedish", "--order", passed)
    raid = preferring("raid with", "decline", "done")
    for _ in range(60):  # a raid, its windows, and sooner or later Ann owes nothing but a proof
        seat = begun.ben.does("verify", begun.last)["to_act"]
        answers = begun.players[seat].answers(begun.last, raid)
        if not answers:
            break
        begun.write(seat, "play", begun.last, "; ".join(answers))
    else:
        pytest.fail("nobody owed a mere proof")
    player = begun.players[seat]
    facts = player.does("show", begun.last)
    assert facts["to_act"] == seat and (facts["asked"] or {}).get("seat") != seat
    *_, turn, _ = player.types("show", begun.last)[1].splitlines()
    golden(turn)
    assert turn.partition(",")[0] in player.types("show", begun.last, "--format", "md")[1]
    assert turn.partition(",")[0] not in player.types("show", begun.last, "--public")[1]
    assert player.does("play", begun.last)["to_act"] != seat


def test_a_draw_is_offered_and_accepted(begun: BegunGame) -> None:
    begun.write("american", "play", begun.last, "event swedish", "--offer-draw")
    assert begun.ben.does("show", begun.last)["offer"] == "american"
    begun.write("tripolitan", "draw", begun.last)
    begun.write("american", "play", begun.last)
    over = begun.ben.does("verify", begun.last)["result"]
    assert over["winners"] == [] and over["proven"] is True


def test_rematch(begun: BegunGame) -> None:
    """Refused while the game goes on; once it is over seats change, for the same player."""
    assert begun.ann.types("rematch", begun.last)[0] == 1
    begun.write("american", "resign", begun.last, "--yes")
    invited = begun.ben.does("rematch", begun.last)
    assert invited["to_act"] == "tripolitan"
    assert begun.ben.types("join", str(invited["file"]))[0] == 1, "who invited"
    assert begun.ann.does("join", str(invited["file"]))["to_act"] == "american"


def test_resign(begun: BegunGame) -> None:
    begun.write("american", "resign", begun.last, "--yes")
    facts = begun.ben.does("show", begun.last)
    assert facts["over"]["winners"] == ["tripolitan"] and facts["over"]["proven"] is False
    result = begun.stranger().does("verify", begun.last)["result"]
    assert (result["proven"], result["unproven"]) == (False, ["tripolitan"])
    begun.write("tripolitan", "play", begun.last)
    result = begun.stranger().does("verify", begun.last)["result"]
    assert (result["proven"], result["unproven"]) == (True, [])


def test_an_invitation_to_one_key(begun: BegunGame) -> None:
    key = begun.ben.does("id")["key"]
    file = begun.ann.does("new", "tripoli", "--opponent", key)["file"]
    cleo = begun.stranger()
    cleo.does("id", "--name", "Cleo")
    assert cleo.types("join", file)[:2] == (1, "")
    assert begun.ben.does("join", file)["to_act"] == "american"


def test_the_help_names_every_game(begun: BegunGame) -> None:
    for command in ("new", "simulate"):
        _, text, _ = begun.ann.types(command, "--help")
        assert set(registry.known_games()) <= set(re.findall(r"[a-z][a-z-]*[a-z]", text)), command


def test_no_arguments_and_help_show_the_commands(begun: BegunGame) -> None:
    for arguments in ([], ["--help"], ["-h"]):
        code, out, err = replace(begun.ann, in_process=False).types(*arguments)
        assert (code, err) == (0, "")
        assert "verify" in out and "\n" in out
    assert begun.ann.types("--version")[1].startswith("pbem ")


def test_the_hexadecimal_id_alone_names_a_game(begun: BegunGame) -> None:
    game_id = begun.ann.does("show", begun.last)["game_id"]
    for name in (game_id, game_id[:8], game_id[:4], f"tripoli-{game_id[:8]}"):
        assert (
            begun.ann.does("verify", name)["entries"]
            == begun.ann.does("verify", begun.last)["entries"]
        ), name
