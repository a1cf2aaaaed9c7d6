"""What a user would take instead, each on the same assertions and in an environment of its own."""

from typing import Final

from bench.peers.with_check50 import Check50
from bench.peers.with_nbgrader import Nbgrader
from bench.peers.with_otter import Otter
from bench.peers.with_pytest import Pytest
from bench.peers.work import Peer

PEERS: Final[dict[str, Peer]] = {
    peer.name: peer for peer in (Pytest(), Check50(), Otter(), Nbgrader())
}
