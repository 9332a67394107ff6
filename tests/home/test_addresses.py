"""Mail addresses as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import Usage
from pbem.home import make_identity
from pbem.home.home import Home


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (" ann@example.org ", "ann@example.org"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        ("ann@müller.böse.example\n", "ann@xn--mller-kva.xn--bse-sna.example"),
    ],
)
def test_blanks_and_letters_of_a_domain_are_taken(tmp_path: Path, given: str, kept: str) -> None:
    home = Home(tmp_path / "home")
    make_identity.identify(home, "Ann", given, False, None, None)
    assert home.identity().mail == kept


def test_a_letter_before_the_at_is_refused_with_the_word_for_it(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="beyond ASCII before the @") as refused:
        make_identity.identify(
            Home(tmp_path / "home"), "Ann", "jürg@example.org", False, None, None
        )
    assert "give an address of yours without" in refused.value.hint
