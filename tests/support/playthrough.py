"""A game at an open table, step by step: what `pbem check-game` plays, for tests."""

from __future__ import annotations

from pbem.simulate.playthrough import Dealer as Dealer
from pbem.simulate.playthrough import Playthrough as Playthrough
from pbem.simulate.playthrough import RecordedChance as RecordedChance
from pbem.simulate.playthrough import Respond as Respond
from pbem.simulate.playthrough import Step as Step
