"""Writes small records again and again over several connections: `writers.py HOST PORT COUNT`.

Each connection sends a PUT as soon as the one before is answered. Prints `ready` once each has been answered; for every
line of its standard input the longest that a write has taken since the last one, in milliseconds, also one that is not
answered yet. Ends with its standard input. A program of its own, so that its waits are those for the hub alone.
"""

import selectors
import socket
import sys
import time

PATH = "/bench/writers/w{}.json?print=silent"


class Writer:
    """One connection, with one request under way."""

    def __init__(self, host: str, port: int, number: int):
        self.socket = socket.create_connection((host, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.head = f"PUT {PATH.format(number)} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer owner\r\n"
        self.count = 0
        self.send()

    def send(self) -> None:
        self.count += 1
        body = f'{{"n":{self.count}}}'
        self.began = time.monotonic()
        self.socket.sendall(f"{self.head}Content-Length: {len(body)}\r\n\r\n{body}".encode())

    def waited(self) -> float:
        """Takes the answer; how long it has taken, in seconds."""
        answer = self.socket.recv(1 << 16)
        if not answer.startswith(b"HTTP/1.1 204"):
            sys.exit(f"writers: a PUT was answered {answer[:40]!r}")
        return time.monotonic() - self.began


def main() -> None:
    host, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    selector = selectors.DefaultSelector()
    writers = [Writer(host, port, number) for number in range(count)]
    for writer in writers:
        selector.register(writer.socket, selectors.EVENT_READ, writer)
    selector.register(sys.stdin, selectors.EVENT_READ)
    longest, waiting = 0.0, set(writers)
    while True:
        for key, _ in selector.select():
            if key.data is None:
                if not sys.stdin.readline():
                    return
                now = time.monotonic()
                longest = max([longest, *(now - writer.began for writer in writers)])
                print(f"{longest * 1000:.1f}", flush=True)
                longest = 0.0
                continue
            longest = max(longest, key.data.waited())
            key.data.send()
            if waiting and not (waiting := waiting - {key.data}):
                print("ready", flush=True)


if __name__ == "__main__":
    main()
