"""Holds many event streams open and reads them as fast as they come: `listeners.py HOST PORT COUNT PATH`.

Prints `ready` once every stream has had its first event; when its standard input ends, the number of events that came
after that, and how many streams the server has cut. A program of its own, so that reading takes no time from the one
that measures.
"""

import resource
import selectors
import socket
import sys


def opened(host: str, port: int, path: str, selector: selectors.BaseSelector) -> socket.socket:
    stream = socket.create_connection((host, port))
    stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
    stream.setblocking(False)
    selector.register(stream, selectors.EVENT_READ)
    return stream


def received(stream: socket.socket) -> bytes:
    """What has come; nothing where the stream has ended."""
    try:
        return stream.recv(1 << 18)
    except ConnectionResetError:
        return b""


def main() -> None:
    host, port, count, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    selector = selectors.DefaultSelector()
    silent = {opened(host, port, path, selector) for _ in range(count)}
    selector.register(sys.stdin, selectors.EVENT_READ)
    events = cut = 0
    while True:
        for key, _ in selector.select():
            if key.fileobj is sys.stdin:
                print(events, cut, flush=True)
                return
            data = received(key.fileobj)
            if not data and key.fileobj in silent:
                sys.exit("a stream has ended before its first event")
            if not data:
                selector.unregister(key.fileobj)
                cut += 1
            elif key.fileobj not in silent:
                events += data.count(b"event: p")
            elif b"event: put" in data:
                silent.discard(key.fileobj)
                if not silent:
                    print("ready", flush=True)


if __name__ == "__main__":
    main()
