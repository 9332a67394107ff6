"""Golden words of tests: another word is noticed, and no test is remembered that is gone."""

from __future__ import annotations

import pytest

from tests.support.golden_words import NAME, TESTS, Golden, read

FOLDERS = sorted(path.parent.name for path in TESTS.glob(f"*/{NAME}"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_was_heard_is_of_tests_that_are_there(folder: str) -> None:
    for test in read(folder):
        file, _, name = test.partition("::")
        text = (TESTS / folder / file).read_text(encoding="utf-8")
        assert f"def {name.partition('[')[0]}(" in text, test


def hear(test: str, said: str) -> None:
    golden = Golden(f"tests/{test}", None)
    if said:
        golden(said)
    golden.ends()


@pytest.mark.parametrize("folder", FOLDERS)
def test_another_word_more_or_less_is_noticed(folder: str) -> None:
    test, lines = next(iter(read(folder).items()))
    hear(f"{folder}/{test}", "\n".join(lines))
    for said in (f"{lines[0]}!", "\n".join([*lines, "More."]), ""):
        with pytest.raises(AssertionError, match="anew"):
            hear(f"{folder}/{test}", said)
