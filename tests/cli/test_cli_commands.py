"""What each command does when it works, and the keys that scripts may rely on."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from examples.correspondence import preferring
from pbem.games import registry
from tests.support.cli_desk import Desk

PROMISED = {
    "new": {"file", "summary", "to_act"},
    "join": {"file", "summary", "to_act"},
    "play": {"file", "summary", "to_act"},
    "moves": {"seat", "options", "complete"},
    "show": {"game", "entry", "seat", "hand", "board", "asked", "over"},
    "verify": {"ok", "entries", "rolls", "openings", "result", "error"},
    "dice": {"rolls"},
}


def test_json_is_one_object_with_the_promised_keys(desk: Desk) -> None:
    typed = {
        "new": ["new", "tripoli", "--seat", "tripolitan", "--hidden-discard"],
        "moves": ["moves", desk.last],
        "show": ["show", desk.last],
        "verify": ["verify", desk.last],
        "dice": ["dice", desk.last],
        "play": ["play", desk.last, "event swedish"],
    }
    for command, arguments in typed.items():
        code, out, err = desk.ann.types(*arguments, "--json")
        assert (code, err) == (0, ""), command
        assert out.count("\n") == 1 and out.endswith("\n"), command
        assert json.loads(out).keys() >= PROMISED[command], command
    facts = json.loads(desk.ann.types("new", "tripoli", "--json")[1])
    code, out, _ = desk.ben.types("join", facts["file"], "--json")
    joined = json.loads(out)
    assert code == 0 and joined.keys() >= PROMISED["join"]
    assert joined["to_act"] == "american"


def test_the_same_from_a_process_of_its_own(desk: Desk) -> None:
    facts = replace(desk.ann, in_process=False).does("show", desk.last)
    assert facts == desk.ann.does("show", desk.last)


def test_show_has_board_hand_and_question(desk: Desk) -> None:
    facts = desk.ann.does("show", desk.last)
    assert (facts["game"], facts["entry"], facts["seat"]) == ("tripoli", 3, "american")
    assert facts["board"]["Tripoli Patrol Zone"] == {"us_frigates": 3}
    assert len(facts["hand"]) == 6
    assert facts["asked"]["seat"] == "american" and facts["to_act"] == "american"
    assert facts["over"] is None


def test_the_public_view_has_nothing_of_either_hand(desk: Desk) -> None:
    hands = set(desk.ann.does("show", desk.last)["hand"]) | set(desk.ben.does("show", desk.last)["hand"])
    for form in ("text", "md", "json"):
        shown = [player.types("show", desk.last, "--public", "--format", form)[1] for player in desk.players.values()]
        shown.append(desk.stranger().types("show", desk.last, "--format", form)[1])
        assert shown[0] == shown[1] == shown[2]
        assert not [name for name in hands if name in shown[0]]
        assert "Thomas Jefferson" in desk.ann.types("show", desk.files[1], "--public", "--format", form)[1]


def test_a_player_sees_his_own_hand_only(desk: Desk) -> None:
    for player, other in ((desk.ann, desk.ben), (desk.ben, desk.ann)):
        theirs = other.does("show", desk.last)["hand"]
        for form in ("text", "md", "json"):
            _, shown, _ = player.types("show", desk.last, "--format", form)
            assert all(name in shown for name in player.does("show", desk.last)["hand"])
            assert not [name for name in theirs if name in shown]


def test_formats(desk: Desk) -> None:
    assert desk.ann.types("show", desk.last, "--format", "md")[1].startswith("# The Shores of Tripoli: ")
    text = desk.ann.types("show", desk.last)[1]
    assert "Your hand: " in text and "What happened" in text
    assert "Tripolitania plays Murad Reis Breaks Out" in text
    assert "Thomas Jefferson" not in text.split("What happened")[1].split("\n\n")[0], "told since the own last entry"
    assert json.loads(desk.ann.types("show", desk.last, "--format", "json")[1])["entry"] == 3


def test_moves_after_an_answer(desk: Desk) -> None:
    facts = desk.ann.does("moves", desk.last)
    assert facts["seat"] == "american" and facts["complete"] is False
    assert "event Swedish Frigates Arrive" in facts["options"]
    done = desk.ann.does("moves", desk.last, "--after", "event swedish")
    assert done["complete"] is True and done["options"] == []


def test_every_listed_move_is_taken_as_it_is_listed(desk: Desk) -> None:
    for option in desk.ann.does("moves", desk.last)["options"]:
        after = desk.ann.asks("moves", desk.last, "--after", option)
        assert "error" not in after, option
        shouted = desk.ann.asks("moves", desk.last, "--after", option.upper() + " !")
        assert shouted == after


def test_an_unfinished_answer_lists_the_options_and_writes_nothing(desk: Desk) -> None:
    before = desk.listing()
    move = next(o for o in desk.ann.does("moves", desk.last)["options"] if o.startswith("move with"))
    facts = desk.ann.asks("play", desk.last, move)
    assert facts["exit"] == 1
    assert facts["options"] == desk.ann.does("moves", desk.last, "--after", move)["options"]
    code, out, err = desk.ann.types("play", desk.last, move)
    assert (code, out) == (1, "")
    assert facts["options"][0] in err and "nothing was written" in err
    assert desk.listing() == before


def test_a_dry_run_writes_nothing(desk: Desk) -> None:
    before = desk.listing()
    code, out, err = desk.ann.types("play", desk.last, "event swedish", "--dry-run")
    assert (code, err) == (0, "")
    assert "two Swedish frigates are placed in the Tripoli Patrol Zone" in out
    facts = desk.ann.does("play", desk.last, "event swedish", "--dry-run")
    assert facts["file"] is None and facts["to_act"] == "tripolitan"
    assert facts["summary"] == out.rstrip("\n") + "\n"
    assert desk.listing() == before
    assert desk.ann.does("play", desk.last, "event swedish")["file"].endswith("-0004.toml")


def test_asked_again_the_same_bytes(desk: Desk, tmp_path: Path) -> None:
    first = desk.write("american", "play", desk.last, "event swedish")
    again = desk.ann.does("play", desk.files[3], "event swedish", "--dir", str(tmp_path))
    assert Path(again["file"]).read_bytes() == (desk.folder / first["file"]).read_bytes()
    lost = desk.folder / first["file"]
    data = lost.read_bytes()
    lost.unlink()
    assert desk.ann.does("play", desk.files[3])["file"] == first["file"]
    assert lost.read_bytes() == data


def test_play_prints_its_paths_and_whom_to_send_it_to(desk: Desk) -> None:
    code, out, err = desk.ann.types("play", desk.last, "event swedish", "--message", "Yours")
    assert (code, err) == (0, "")
    file, summary, mail, told, said = out.splitlines()
    assert (desk.folder / file).is_file() and "Yours" in (desk.folder / summary).read_text(encoding="utf-8")
    assert mail == file.replace(".toml", ".eml") and (desk.folder / mail).is_file()
    assert told.startswith("  America plays Swedish Frigates Arrive")
    assert "the game waits for Ben (tripolitan)" in said


def test_it_is_said_when_only_a_proof_is_owed(desk: Desk) -> None:
    """A player with nothing to decide must still write, or both would wait for ever."""
    passed = "Lieutenant Sterett in Pursuit: decline"  # or Ann would be asked at each raid on her frigates
    desk.write("american", "play", desk.last, "event swedish", "--order", passed)
    raid = preferring("raid with", "decline", "done")
    for _ in range(60):  # a raid, its windows, and sooner or later Ann owes nothing but a proof
        seat = desk.ben.does("verify", desk.last)["to_act"]
        answers = desk.players[seat].answers(desk.last, raid)
        if not answers:
            break
        desk.write(seat, "play", desk.last, "; ".join(answers))
    else:
        pytest.fail("nobody owed a mere proof")
    player = desk.players[seat]
    facts = player.does("show", desk.last)
    assert facts["to_act"] == seat and (facts["asked"] or {}).get("seat") != seat
    assert "It is your turn, and you have nothing to decide" in player.types("show", desk.last)[1]
    assert "It is your turn" in player.types("show", desk.last, "--format", "md")[1]
    assert "It is your turn" not in player.types("show", desk.last, "--public")[1]
    assert player.does("play", desk.last)["to_act"] != seat


def test_a_draw_is_offered_and_accepted(desk: Desk) -> None:
    desk.write("american", "play", desk.last, "event swedish", "--offer-draw")
    assert desk.ben.does("show", desk.last)["offer"] == "american"
    desk.write("tripolitan", "draw", desk.last)
    desk.write("american", "play", desk.last)
    over = desk.ben.does("verify", desk.last)["result"]
    assert over["winners"] == [] and over["proven"] is True


def test_resign(desk: Desk) -> None:
    desk.write("american", "resign", desk.last)
    facts = desk.ben.does("show", desk.last)
    assert facts["over"]["winners"] == ["tripolitan"] and facts["over"]["proven"] is False
    _, out, _ = desk.stranger().types("verify", desk.last)
    assert "unproven: tripolitan has not revealed the root" in out
    desk.write("tripolitan", "play", desk.last)
    assert "the result is proven" in desk.stranger().types("verify", desk.last)[1]


def test_an_invitation_to_one_key(desk: Desk) -> None:
    key = desk.ben.does("id")["key"]
    file = desk.ann.does("new", "tripoli", "--opponent", key)["file"]
    cleo = desk.stranger()
    cleo.does("id", "--name", "Cleo")
    code, out, err = cleo.types("join", file)
    assert (code, out) == (1, "") and "somebody else is invited to play tripolitan" in err
    assert desk.ben.does("join", file)["to_act"] == "american"


def test_the_help_names_every_game(desk: Desk) -> None:
    for command in ("new", "simulate"):
        _, text, _ = desk.ann.types(command, "--help")
        assert set(registry.known_games()) <= set(re.findall(r"[a-z][a-z-]*[a-z]", text)), command


def test_no_arguments_and_help_show_the_commands(desk: Desk) -> None:
    for arguments in ([], ["--help"], ["-h"]):
        code, out, err = replace(desk.ann, in_process=False).types(*arguments)
        assert (code, err) == (0, "")
        assert "verify" in out and "\n" in out
    assert desk.ann.types("--version")[1].startswith("pbem ")


def test_the_hexadecimal_id_alone_names_a_game(desk: Desk) -> None:
    game_id = desk.ann.does("show", desk.last)["game_id"]
    for name in (game_id, game_id[:8], game_id[:4], f"tripoli-{game_id[:8]}"):
        assert desk.ann.does("verify", name)["entries"] == desk.ann.does("verify", desk.last)["entries"], name
