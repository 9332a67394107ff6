"""Plug-ins: found by their entry point, checked whole before anything is signed, and harmless when
they are broken."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.flow import Answer
from engine.rules import Game, Rules
from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.games import plugins, registry
from pbem.games.descriptor import API, Concerned, GameDescriptor, concerned, load
from pbem.games.sample import check_play
from pbem.home.home import Home
from pbem.report import picture, verification
from pbem.simulate import series
from tests.support.players import seed_of
from tests.support.plugins import OLDER, Site, change, problems_of


@pytest.fixture
def ann(tmp_path: Path) -> Player:
    (tmp_path / "mails").mkdir()
    Home(tmp_path / "Ann").create("Ann", "ann@example.org", seed_of("Ann"), "")
    return Player("Ann", tmp_path / "Ann", tmp_path / "mails", in_process=True)


def test_a_plug_in_is_listed_with_its_package(site: Site, ann: Player) -> None:
    site.install("pbem-goofspiel", "1.0", source=OLDER)
    listed = {game["name"]: game for game in ann.does("games")["games"]}
    assert list(listed) == [
        "any",
        "backgammon",
        "loot",
        "paradise",
        "tripoli",
        "tripoli-solitaire",
        "goofspiel",
    ]
    game = listed["goofspiel"]
    assert (game["distribution"], game["version"], game["versions"]) == (
        "pbem-goofspiel",
        "1.0",
        [1],
    )
    assert (game["title"], game["problems"]) == ("Goofspiel with dice", [])
    assert game["options"][0]["name"] == "cards" and "pbem new goofspiel" in game["help"]
    assert "pbem-goofspiel 1.0" in ann.types("games")[1]
    told = ann.types("games", "goofspiel")[1]
    assert told.splitlines()[0] == game["title"] and game["help"] in told


def test_its_options_are_options_of_new(site: Site, ann: Player) -> None:
    site.install()
    for entered in (["--help"], ["goofspiel", "--help"]):
        assert "--cards NUMBER" in ann.types("new", *entered)[1].partition("goofspiel:")[2]
    file = ann.folder / ann.does("new", "goofspiel", "--cards", "13")["file"]
    (entry,) = turnfile.read(file.read_bytes()).entries
    assert entry.list("options") == ["cards 13"] and entry.fields["rules"] == 1
    before = sorted(ann.folder.iterdir())
    for wrong in (["goofspiel", "--cards", "14"], ["loot", "--cards", "9"]):
        assert ann.types("new", *wrong)[0] == 2, wrong
    assert sorted(ann.folder.iterdir()) == before


def test_entry_0_names_the_package_that_brought_the_rules(site: Site, ann: Player) -> None:
    site.install("pbem-goofspiel", "1.0")
    for game, package in (("goofspiel", "pbem-goofspiel 1.0"), ("loot", str(registry.OWN))):
        file = ann.folder / ann.does("new", game)["file"]
        assert turnfile.read(file.read_bytes()).entries[0].text("package") == package


def test_a_file_of_a_game_that_is_not_here_says_so(site: Site, ann: Player) -> None:
    """Another version of the package plays on: what is enforced is the game's name and its rules
    version."""
    site.install("pbem-goofspiel", "1.0")
    file = str(ann.folder / ann.does("new", "goofspiel")["file"])
    site.remove()
    code, _, error = ann.types("verify", file)
    assert code == 3 and error.count("\n") == 1
    assert all(name in error for name in ('"goofspiel"', "version 1", '"pbem-goofspiel 1.0"'))
    assert '"goofspiel"' in ann.types("new", "goofspiel")[2]
    site.install("goof-of-another-author", "7")
    assert ann.types("verify", file)[0] == 0


def test_a_newer_rules_version_is_asked_for_by_name(site: Site, ann: Player) -> None:
    package = site.install(source=OLDER)
    change(package / "__init__.py", "rules={1:", "rules={2:")
    change(package / "rules.py", "version = 1", "version = 2")
    site.forget()
    file = str(ann.folder / ann.does("new", "goofspiel")["file"])
    change(package / "__init__.py", "rules={2:", "rules={1:")
    change(package / "rules.py", "version = 2", "version = 1")
    site.forget()
    error = ann.types("verify", file)[2]
    assert "version 2" in error and "pbem-goofspiel 1.0 has 1" in error


BROKEN = {
    "no module": (
        "__init__.py",
        "from pathlib",
        "import nothing_like_it\nfrom pathlib",
        "ModuleNotFoundError",
    ),
    "raises": (
        "__init__.py",
        "GAME =",
        "raise KeyError('ouch')\nGAME =",
        "cannot be loaded: KeyError: 'ouch'",
    ),
    "exits": (
        "__init__.py",
        "GAME =",
        "raise SystemExit(0)\nGAME =",
        "cannot be loaded: SystemExit: 0",
    ),
    "rules that exit": (
        "rules.py",
        "WAYS =",
        "raise SystemExit(0)\nWAYS =",
        "rules:RULES.: SystemExit: 0",
    ),
    "no descriptor": (
        "__init__.py",
        "GAME = GameDescriptor(",
        "GAME = dict(",
        "is no GameDescriptor",
    ),
    "another API": (
        "__init__.py",
        "api=2,",
        "api=4,",
        f"for API 4 .* this pbem has API 2 and {API}",
    ),
    "another name": (
        "__init__.py",
        'name="goofspiel"',
        'name="gops"',
        'offers a game named "gops"',
    ),
    "no rules": ("__init__.py", '{1: "pbem_goofspiel.rules:RULES"}', "{}", "it has no rules"),
    "rules elsewhere": ("__init__.py", "rules:RULES", "rules:RULE", 'has no "RULE"'),
    "rules of another name": (
        "rules.py",
        'name = "goofspiel"',
        'name = "gops"',
        "call themselves gops, version 1",
    ),
    "rules of another version": (
        "rules.py",
        "version = 1",
        "version = 4",
        "call themselves goofspiel, version 4",
    ),
    "no title": ("rules.py", 'title = "Goofspiel with dice"', 'title = ""', "the title is empty"),
    "a default of nothing": (
        "rules.py",
        'ClassVar = {"cards": 9}',
        'ClassVar = {"crds": 9}',
        '"crds" has a default',
    ),
    "a reason in words": (
        "rules.py",
        'reasons = ("prize",)',
        'reasons = ("The prize",)',
        "is no reason of chance",
    ),
    "two seats of one name": ("game.py", '"first", "second"', '"first", "first"', "the seats are"),
    "two cards of one name": ("game.py", '"ace two', '"two two', "two cards have one name"),
    "a long card": (
        "game.py",
        '"ace ',
        f'"{"ace" * 30} ',
        "is no card name: one line of at most 60",
    ),
    "decks of one letter": (
        "game.py",
        'enumerate("ab")',
        'enumerate("aa")',
        "letters of the decks are",
    ),
    "an option of nothing": (
        "__init__.py",
        '"cards", "How',
        '"crds", "How',
        "--crds is no setting",
    ),
    "a taken option": ("__init__.py", '"cards", "How', '"json", "How', "--json: the name is taken"),
    "an option without help": (
        "__init__.py",
        '"How many cards each player has, 5 to 13; 9 unless you say."',
        '""',
        "--cards has no help",
    ),
    "an option of no kind": ("__init__.py", '"number"', '"numbers"', '--cards takes "numbers"'),
    "no templates": ("__init__.py", '"templates"', '"words"', "there is no folder of templates"),
    "no help": ("__init__.py", '"help.txt"', '"help.md"', r"no page of help help\.md"),
    "no macro": (
        "templates/words.j2",
        "macro tell",
        "macro tel",
        'words.j2 has no macro "tell"',
    ),
    "a macro of one": (
        "templates/words.j2",
        "macro tell(line",
        "macro tell(",
        '"tell" is called with 1',
    ),
    "no SILENT": (
        "templates/words.j2",
        "set SILENT",
        "set QUIET",
        r"words\.j2 does not set SILENT",
    ),
    "a broken template": (
        "templates/words.j2",
        "{%- endif %}",
        "",
        r"words\.j2, line [0-9]+: .*endmacro",
    ),
    "a broken backdrop": (
        "templates/backdrop.svg.j2",
        "</defs>",
        "{% endfor %}",
        r"backdrop\.svg\.j2, line",
    ),
    "a board elsewhere": ("__init__.py", "board:board", "board:boar", 'has no "boar"'),
    "concerns what": ("rules.py", "return Concerned()", "return ()", "concerns gives"),
    "a card without a text": (
        "rules.py",
        "enumerate(NAMES, 1)",
        "enumerate(NAMES[1:], 2)",
        '"ace" has no text',
    ),
    "one sentence for all": (
        "rules.py",
        'return "lay {}"',
        'return "lay"',
        'two answers are "lay"',
    ),
    "an unknown word": (
        "rules.py",
        'return "lay {}"',
        'return "put {}"',
        'does not know "put" of "put ',
    ),
    "a second blank": (
        "rules.py",
        'return "lay {}"',
        'return "lay  {}"',
        "is no sentence: single blanks",
    ),
    "an unsaid prompt": (
        "game.py",
        'f"lay a card for the prize of {self.prize}"',
        '""',
        '"" is no prompt',
    ),
    "a position of letters": (
        "game.py",
        'f"round {self.round} prize',
        'f"röund {self.round} prize',
        "line of ASCII",
    ),
    "a view of objects": (
        "game.py",
        '"prize": self.prize, "cards"',
        '"prize": self, "cards"',
        "no plain data",
    ),
    "play that fails": (
        "game.py",
        "self.prize += value",
        "self.prize += self.rounds",
        r"no attribute 'rounds' \(pbem_goofspiel/game\.py, line [0-9]+, in play_round\)",
    ),
    "a board that fails": (
        "board.py",
        'now["has_bid"]',
        'now["bids"]',
        r"KeyError: 'bids' \(pbem_goofspiel/board\.py, line [0-9]+, in _side\)",
    ),
    "a board of nothing": (
        "board.py",
        "    return StageBoard(\n",
        "    return None\n    StageBoard(\n",
        "the board, pbem_goofspiel.board:board, gives None: it is to be a StageBoard",
    ),
    "no Python": (
        "rules.py",
        "class GoofspielRules",
        "clas GoofspielRules",
        r"SyntaxError: invalid syntax \(pbem_goofspiel/rules\.py, line [0-9]+\)",
    ),
}
"""A file of the example, what is changed in it, and how the problem is told."""


def test_a_game_of_the_older_interface_goes_on(site: Site) -> None:
    """As it was written for it, word for word: words, board, faces and backdrop of its own."""
    assert API == 3
    site.install(source=OLDER)
    found = registry.find_installed("goofspiel")
    assert found is not None and found.descriptor is not None and found.problems == ()
    assert found.descriptor.api == 2 < API
    assert series.simulate("goofspiel", 1, "1", by_mail=True)
    drawn = picture.sample("goofspiel")
    assert "goofspiel-cloth" in drawn and "points in" not in drawn
    assert picture.png(drawn)[:8] == b"\x89PNG\r\n\x1a\n"


def with_position(answer: Answer, rules: Rules, game: Game) -> Concerned:
    """The words of the answer, and where in the game it is given."""
    return Concerned((rules.words(answer.option), game.when()))


def without(answer: Answer, rules: Rules) -> Concerned:
    """The same as it was written for API 2."""
    return Concerned((rules.words(answer.option),))


def test_what_an_answer_is_about_may_depend_on_the_position(site: Site) -> None:
    site.install()
    found = registry.descriptor("goofspiel")
    rules = registry.newest("goofspiel")
    game, answer = rules.begin({}), Answer(("lay {}",), 1)
    assert concerned(found)(answer, rules, game) == Concerned()
    for function, places in (("with_position", ("lay {}", "round 0")), ("without", ("lay {}",))):
        own = found._replace(concerns=f"{__name__}:{function}")
        assert concerned(own)(answer, rules, game).places == places
        assert list(check_play(own, rules)) == []


@pytest.mark.dear("installs plug-ins")
@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_plug_in_disables_itself_only(site: Site, ann: Player, case: str) -> None:
    path, old, new, words = BROKEN[case]
    change(site.install(source=OLDER) / path, old, new)
    site.forget()
    found = registry.find_installed("goofspiel")
    assert found is not None and found.descriptor is None
    told = "\n".join(found.problems)
    assert re.search(words, told), told
    code, out, error = ann.types("new", "goofspiel")
    assert (code, out) == (2, "") and error.count("\n") == 1
    assert (
        "the plug-in pbem-goofspiel 1.0" in error and found.problems[0].split("\n")[0][:40] in error
    )
    assert not list(ann.folder.iterdir()), "nothing was signed"
    listed = {game["name"]: game for game in ann.does("games")["games"]}
    assert listed["goofspiel"]["problems"] == [*found.problems]
    assert (listed["goofspiel"]["title"], listed["loot"]["problems"]) == (None, [])
    assert ann.types("new", "--help")[0] == 0
    assert ann.types("new", "tripoli")[0] == 0


RAISES = {
    "board.py": (
        "    return StageBoard(",
        'view["sides"][0]["pile"] > 9 and view["nothing"]',
        "board",
    ),
    "game.py": (
        "        self.prize += value",
        'self.cards == 13 and self.open["nothing"]',
        "play_round",
    ),
}
"""A file of the example, before which line of it something is raised with thirteen cards, what
raises it, and in which function."""


@pytest.mark.parametrize("path", RAISES)
def test_what_a_plug_in_raises_in_a_game_is_one_line_that_says_where(
    site: Site, tmp_path: Path, ann: Player, path: str
) -> None:
    """With thirteen cards, which no sample is played with: a player is told which line of the
    author's it was, and sees no traceback."""
    line, raising, place = RAISES[path]
    indented = " " * (len(line) - len(line.lstrip())) + raising
    change(site.install(source=OLDER) / path, line, f"{indented}\n{line}")
    site.forget()
    Home(tmp_path / "Ben").create("Ben", "ben@example.org", seed_of("Ben"), "")
    ben = Player("Ben", tmp_path / "Ben", tmp_path / "mails", in_process=True)
    file = ann.does("new", "goofspiel", "--cards", "13")["file"]
    said = [ben.types("join", file)]
    for command in ("show", "play"):
        newest = sorted(ann.folder.glob("*.toml"))[-1].name
        said += [ann.types(command, newest, *(["--yes"] if command == "play" else []))]
    failed = [error for code, _, error in said if code == 2]
    assert failed, said
    for error in failed:
        assert error.count("\n") == 1 and "Traceback" not in error
        assert re.search(rf"'nothing' \(pbem_goofspiel/{path}, line [0-9]+, in {place}\)", error)
        assert "check-game goofspiel" in error


SQUARES = {
    "game.py": [
        (
            "yield from self.play_round()",
            "yield from self.walk()\n            yield from self.play_round()",
        ),
        (
            "    def draw(self",
            (
                '    def walk(self) -> Flow[None]:\n        yield Ask(0, "walk", (("walk", 1),'
                ' ("walk", 2)))\n\n    def draw(self'
            ),
        ),
    ],
    "rules.py": [
        (
            '        return "lay {}"',
            (
                '        return "lay {}" if option[0] == "lay" else f"from b{option[1]} to'
                ' a{option[1]}"'
            ),
        ),
        ('{"lay", *NAMES}', '{"lay", "From", "to", "a1", "a2", "b1", "b2", *NAMES}'),
    ],
}
"""The example with a question about squares that are named as on a chess board, from one to
another."""


def with_squares(package: Path) -> None:
    for name, changes in SQUARES.items():
        for old, new in changes:
            change(package / name, old, new)


def test_squares_may_be_called_as_the_backs_of_cards_where_there_are_none(site: Site) -> None:
    """A deck `a` has a card a1; with decks of other letters, or none, it is a square. Words of the
    vocabulary are spelled as they are said, "to" among them."""
    package = site.install(source=OLDER)
    with_squares(package)
    site.forget()
    wrong, *_ = problems_of()
    assert 'to a1"' in wrong
    change(package / "game.py", 'enumerate("ab")', 'enumerate("xy")')
    site.forget()
    assert problems_of() == ()


def test_a_sample_is_played_when_a_plug_in_is_new_or_changed_and_never_else(
    site: Site, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, samples, states = site.install(), list[str](), list[bytes]()
    state_of = plugins._state_of

    def state(found: GameDescriptor) -> bytes:
        states.append(state_of(found))
        return states[-1]

    def counted(found: GameDescriptor, rules: Rules) -> Iterator[str]:
        samples.append(found.name)
        return check_play(found, rules)

    monkeypatch.setattr("pbem.games.check.check_play", counted)
    monkeypatch.setattr(plugins, "_state_of", state)

    def played(*entered: str) -> int:
        samples.clear()
        states.clear()
        site.forget()
        assert ann.types(*entered)[0] == 0
        assert len(states) == 1, "its files are read once"
        return len(samples)

    assert played("games") == 1, "new"
    assert played("games") == played("card", "ace") == 0, "neither new nor changed"
    board = package / "board.py"
    before, known = board.read_bytes(), board.stat()
    board.write_bytes(before.replace(b'"""What', b'"""That'))
    os.utime(board, ns=(known.st_atime_ns, known.st_mtime_ns))
    assert (played("games"), played("games")) == (1, 0), "changed, though neither size nor time did"
    board.write_bytes(before)
    assert (played("games"), played("games")) == (1, 0), "changed back"

    def saved_meanwhile(found: GameDescriptor, rules: Rules) -> Iterator[str]:
        board.write_bytes(before + b"\n")
        yield from counted(found, rules)

    board.write_bytes(before + b"\n\n")
    monkeypatch.setattr("pbem.games.check.check_play", saved_meanwhile)
    assert played("games") == played("games") == 1, "changed while it was checked"
    assert played("games") == 0
    monkeypatch.setattr("pbem.games.check.check_play", counted)
    assert played("new", "goofspiel", "--no-mail") == 0
    (file,) = ann.folder.glob("goofspiel-*.toml")
    assert played("show", str(file)) == played("verify", str(file)) == 0


def test_two_plug_ins_with_one_name_are_both_refused(site: Site, ann: Player) -> None:
    site.install("pbem-goofspiel", "1.0")
    site.install("goof-of-another-author", "7")
    code, _, error = ann.types("new", "goofspiel")
    assert code == 2
    assert all(name in error for name in ("goof-of-another-author 7", "pbem-goofspiel 1.0"))
    listed = [game for game in ann.does("games")["games"] if game["name"] == "goofspiel"]
    assert [game["distribution"] for game in listed] == ["goof-of-another-author", "pbem-goofspiel"]
    assert all(game["problems"] and game["title"] is None for game in listed)


def test_a_built_in_game_cannot_be_taken(site: Site, ann: Player) -> None:
    site.install("goof-loot", "6.6", game="loot")
    assert problems_of("loot") == ()
    assert ann.does("new", "loot")["to_act"] == "second"
    (listed,) = [game for game in ann.does("games")["games"] if game["distribution"] == "goof-loot"]
    assert len(listed["problems"]) == 1 and listed["title"] is None


def test_a_package_that_goes_away_meanwhile_takes_no_other_game_along(
    site: Site, ann: Player
) -> None:
    """Whoever uninstalls it while a table is open: names of games are known, its files are gone."""
    site.install()
    assert problems_of() == ()
    for info in site.folder.glob("*.dist-info"):
        (info / "METADATA").unlink()
    plugins._all_of.cache_clear()
    assert "unknown-package" in ann.types("games")[1]
    assert ann.types("new", "backgammon", "--no-mail")[0] == 0


def test_another_package_name_is_one_line(site: Site, ann: Player) -> None:
    """`package` is what the inviter says: told in one line, never obeyed."""
    site.install("pbem-goofspiel", "1.0\x1b[31m")
    file = ann.folder / ann.does("new", "goofspiel")["file"]
    assert turnfile.read(file.read_bytes()).entries[0].text("package") == "pbem-goofspiel 1.0??31m"


@pytest.mark.parametrize("reference", ["nothing", ":", "a.b:", ":c", "pbem.games:NOTHING"])
def test_a_reference_to_nothing(reference: str) -> None:
    with pytest.raises(
        ValueError, match=f'"{reference}"' if reference != "pbem.games:NOTHING" else "NOTHING"
    ):
        load(reference)


def test_the_example_s_files_verify_with_it(site: Site, ann: Player) -> None:
    site.install()
    file = ann.folder / ann.does("new", "goofspiel")["file"]
    facts, failure = verification.verify(file.read_bytes())
    assert failure is None and facts.ok and getattr(facts, "game", "") == "goofspiel"
