"""Ports for servers that are ended and come back at the same address."""

import random
import socket
from pathlib import Path

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")


def lasting() -> int:
    """A free port that no client is given as its own.

    While nobody listens at a port of the system's own range, whoever tries to connect there may be given that very port,
    and be connected with itself: then nobody else can listen there.
    """
    first = int(_RANGE.read_text(encoding="ascii").split()[0]) if _RANGE.exists() else 32_768
    for _ in range(200):
        port = random.randrange(10_000, max(first, 10_100))
        with socket.socket() as candidate:
            candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                candidate.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("no free port below the system's own range")
