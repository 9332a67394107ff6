"""What holds for all tests: how the property tests run, and that the slow ones print their
figures."""

from __future__ import annotations

import contextlib
import gc
import importlib
import itertools
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pbem.mail import compose
from pbem.report import render
from tests.support import (
    known_pictures,
    known_proofs,
    known_templates,
    same_chance,
    stages,
)
from tests.support.golden_words import golden as golden
from tests.support.web_tabs import Browsers

# Games that come to the tests as plug-ins do. Whether a plug-in has changed is asked of its whole
# package, and theirs is not to be all that lies in tests/.
sys.path.append(str(Path(__file__).parent / "support" / "installed"))
settings.register_profile(
    "same",
    deadline=None,
    derandomize=True,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
"""The same examples every time, however slow or busy the machine is: a failure is of the change at
hand."""
settings.register_profile("new", settings.get_profile("same"), derandomize=False, max_examples=150)
"""Other examples with each run, for `./run slow`."""
settings.load_profile("same")
known_pictures.install()
known_proofs.install()
known_templates.install()
same_chance.install()
# What a test writes need not outlive the machine. The processes that tests start and kill have the
# true one.
os.fsync = lambda _file: None
# Tests that are started with nohup or behind a shell's & ignore these, and so would every program
# that they start.
for ignored in ("SIGHUP", "SIGQUIT"):
    if hasattr(signal, ignored):
        signal.signal(getattr(signal, ignored), signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is kept outside of homes stays outside of this machine's own, also for the programs that
    tests start."""
    _STATES.append(tmp_path_factory.mktemp("states"))
    _new_state()


@pytest.fixture(autouse=True, scope="session")
def templates_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one of several processes has compiled the others find."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "templates"
    folder.mkdir(mode=0o700, exist_ok=True)
    known_templates.share(folder)


@pytest.fixture(scope="session")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsers]:
    """One browser of each kind for all tests of this process, started for the first that asks."""
    with Browsers(tmp_path_factory.mktemp("browsers")) as made:
        yield made


@pytest.fixture
def true_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that look at the pictures of mails: they are drawn."""
    monkeypatch.setattr(compose, "_png", known_pictures.true_drawn)


@pytest.fixture
def true_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that look at what a home keeps of its templates."""
    monkeypatch.setattr(render, "_environment", known_templates.true_environment)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test has the same games whenever it runs and whichever ran before it, and others than
    other tests. What is kept outside of homes begins anew: a test that goes on with a game that
    others play too is a computer of its own."""
    same_chance.CHANCE.seed(item.nodeid)
    _new_state()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """What several tests share is the same whichever of them asks for it first."""
    if request.scope == "function":
        return (yield)
    _new_state()
    with same_chance.other_chance(
        f"{fixturedef.baseid} {fixturedef.argname} {getattr(request, 'param', '')}"
    ):
        made = yield
    _new_state()
    return made


_STATES: list[Path] = []
"""The folder of all that is kept outside of homes in this run, once it is made."""
_NUMBERS = itertools.count()


def _new_state() -> None:
    """Another computer, as far as programs can tell: nothing is noted yet of what homes have
    signed."""
    if _STATES:
        os.environ["PBEM_STATE"] = str(_STATES[0] / str(next(_NUMBERS)))


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The `pytestmark` of a folder's conftest.py holds for all tests of the folder; and whatever is
    dear says why."""
    for item in items:
        for mark in stages.marks_of_folders(item):
            item.add_marker(mark)
        stages.check_reasons(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """What a test has cost goes with its report, whichever process ran it."""
    with stages.noted(item):
        return (yield)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Each of several processes begins to read the tests at another place, so that on a fresh clone
    it compiles its part of them and finds the bytecode of the others."""
    own = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if own == "0" or session.config.args_source.name != "TESTPATHS":
        return
    paths = sorted(Path(__file__).parent.rglob("test_*.py"))
    begin = len(paths) * int(own) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in paths[begin:] + paths[:begin]:
        with contextlib.suppress(Exception):  # collection tells of it
            importlib.import_module(
                ".".join(path.relative_to(Path(__file__).parents[1]).with_suffix("").parts)
            )


def pytest_collection_finish() -> None:
    """Nothing of what is there by now will ever be garbage: looking through it again and again
    takes a tenth of all."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures that tests noted with `record_property("figure", ...)`, also those of other
    processes; in a line what was skipped and why; and which marks the costs contradict."""
    reports = [
        report for name in ("passed", "failed") for report in terminalreporter.getreports(name)
    ]
    noted = [
        str(text) for report in reports for name, text in report.user_properties if name == "figure"
    ]
    if noted:
        terminalreporter.section("figures")
        for text in sorted(set(noted)):
            terminalreporter.line(text)
    if skips := stages.skipped(terminalreporter.getreports("skipped")):
        terminalreporter.line(f"skipped: {skips}")
    for line in stages.contradicted(reports):
        terminalreporter.line(line)
