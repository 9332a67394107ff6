"""Games that a seek names, held against one's own files (docs/format.md, section 24)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.home.identity import Identity
from pbem.ledger.gate import replay
from pbem.seek import claims, write
from pbem.seek.claims import CheckedClaims
from pbem.seek.seek_file import Result, Seek, write_seek
from pbem.turn import joining
from tests.support.homes import seed_of
from tests.support.series_kit import Match, match
from tests.vectors.make import sample


@pytest.fixture
def played(tmp_path: Path) -> Match:
    """A game that Ann and Ben have finished."""
    made = match(tmp_path, "2 games")
    made.end("lost")
    return made


def says(seek: Seek, who: Identity, *results: Result) -> Seek:
    """A seek that names these games."""
    wish = replace(seek.wish, name=who.name, finished=max(1, len(results)), results=results)
    return write_seek(wish, seek.date, sample("claims"), who.public, who.sign)


def test_a_true_claim_is_seen_by_the_other_player(played: Match, tmp_path: Path) -> None:
    wanted = write.Wanted("backgammon", {}, claims=True)
    seek = write.seek(played.ann, wanted, tmp_path).seek
    assert claims.check(played.ben, seek) == CheckedClaims(1, 0)


def test_false_claims(played: Match, tmp_path: Path) -> None:
    """A game of others, a digest from before the end, and one that there is not."""
    seek = write.seek(played.ann, write.Wanted("backgammon", {}), tmp_path).seek
    ann = played.ann.identity()
    file = turnfile.read(played.files[0])
    game, entries = replay(file).game_id, file.entries
    cleo = Identity("Cleo", "cleo@example.org", seed_of("Cleo"))
    right = Result(game, entries[-1].digest)
    assert claims.check(played.ben, says(seek, ann, right)) == CheckedClaims(1, 0)
    assert claims.check(played.ben, says(seek, cleo, right)) == CheckedClaims(0, 1)
    early = Result(game, entries[1].digest)
    assert claims.check(played.ben, says(seek, ann, early)) == CheckedClaims(0, 1)
    elsewhere = Result(sample("another game"), entries[-1].digest)
    assert claims.check(played.ben, says(seek, ann, elsewhere)) == CheckedClaims()


def test_a_game_that_goes_on_here_contradicts_nothing(played: Match, tmp_path: Path) -> None:
    """The other one may have a later turn of it."""
    seek = write.seek(played.ann, write.Wanted("backgammon", {}), tmp_path).seek
    data = joining.invite(played.ben, joining.NewGame("backgammon"))
    game = replay(turnfile.read(data)).game_id
    claim = says(seek, played.ann.identity(), Result(game, sample("a later turn")))
    assert claims.check(played.ben, claim) == CheckedClaims()
