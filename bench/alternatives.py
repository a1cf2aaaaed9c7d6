"""The peers that were asked for: installed, held to what they are for, and measured."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from bench.grade import cost
from bench.peers import PEERS
from bench.peers.environment import Environment, PeerError, make
from bench.peers.work import prove
from bench.table import Absent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from bench.peers.work import Peer

MANY = 3
"""submissions of the larger of two runs, of a peer that judges many in one"""

Standing = Environment | Absent
"""of a peer: where it is ready, or why it is not"""


def stand(
    names: Iterable[str],
    envs: Path,
    place: Path,
    right: str,
    wrong: str,
    say: Callable[[str], None],
) -> dict[str, Standing]:
    """Install each peer and prove that it tells what is right from what is wrong."""
    return {name: _standing(PEERS[name], envs, place / name, right, wrong, say) for name in names}


def _standing(
    peer: Peer, envs: Path, place: Path, right: str, wrong: str, say: Callable[[str], None]
) -> Standing:
    say(f"{peer.name}: its environment")
    try:
        environment = make(envs, peer.name, peer.packages)
        say(f"{peer.name}: whether it tells right from wrong")
        prove(peer, environment, place, right, wrong)
    except PeerError as error:
        return Absent(peer.name, error.word, str(error))
    return environment


def cpu(name: str, standing: Standing, place: Path, text: str, times: int) -> float | Absent:
    """CPU seconds of one more submission with this text, or why there is none."""
    if isinstance(standing, Absent):
        return standing
    peer = PEERS[name]
    try:
        if peer.together:
            return _marginal(peer, standing, place, text)
        work = peer.work(standing, place, [text])
        return statistics.median(
            cost(work.command, work.cwd, work.environ).cpu_s for _ in range(times)
        )
    except PeerError as error:
        return Absent(name, error.word, str(error))
    except RuntimeError as error:
        return Absent(name, "broken", str(error))


def _marginal(peer: Peer, environment: Environment, place: Path, text: str) -> float:
    """As for attnpack, starting is taken out by measuring two sizes."""
    costs = []
    for count in (1, MANY):
        work = peer.work(environment, place / str(count), [text] * count)
        costs.append(cost(work.command, work.cwd, work.environ).cpu_s)
    return (costs[1] - costs[0]) / (MANY - 1)


def ready(standings: Mapping[str, Standing], name: str) -> Environment | None:
    """Where a peer is ready."""
    standing = standings.get(name)
    return standing if isinstance(standing, Environment) else None
