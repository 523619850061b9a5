"""A session over a WebSocket, as the client libraries of apps have it. Standard library only."""

import base64
import json
import os
import socket
import struct
from urllib.parse import urlsplit

PIECE = 16384
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Closed(Exception):
    """The server has ended the session; with the code that it gave, or None where it was cut."""

    def __init__(self, code: int | None):
        super().__init__(f"closed with {code}")
        self.code = code


class Session:
    """One connection. `hello` is what the server has said first; `pushes` is what came before the last answer."""

    def __init__(self, url: str, query: str = "v=5&ns=127"):
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=20)
        self.rest = b""
        self.number = 0
        self.pushes: list[dict] = []
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET /.ws?{query} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        while b"\r\n\r\n" not in self.rest:
            self.read()
        answer, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if not answer.startswith(b"HTTP/1.1 101 "):
            raise Closed(int(answer.split()[1]))
        self.hello = self.message()["d"]["d"]

    def close(self) -> None:
        self.socket.close()

    def ask(self, action: str, body: dict) -> dict:
        """The body of the answer."""
        self.number += 1
        self.pushes = []
        text = json.dumps({"t": "d", "d": {"r": self.number, "a": action, "b": body}})
        pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
        if len(pieces) > 1:
            self.frame(str(len(pieces)).encode())
        for piece in pieces:
            self.frame(piece.encode())
        while True:
            message = self.message()
            if message["t"] == "d" and message["d"].get("r") == self.number:
                return message["d"]["b"]
            self.pushes.append(message["d"])

    def message(self) -> dict:
        """The next message, put together from its pieces. Raises Closed."""
        text = self.text()
        if len(text) <= 6 and text.isdigit():
            text = b"".join(self.text() for _ in range(int(text)))
        return json.loads(text)

    def text(self) -> bytes:
        while True:
            kind, data = self.received()
            if kind == TEXT:
                return data
            if kind == PING:
                self.frame(data, PONG)
            if kind == CLOSE:
                raise Closed(struct.unpack(">H", data[:2])[0])

    def frame(self, data: bytes, kind: int = TEXT) -> None:
        head = bytes([0x80 | kind])
        head += bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)))

    def received(self) -> tuple[int, bytes]:
        first, count = self.take(2)
        if count == 126:
            (count,) = struct.unpack(">H", self.take(2))
        elif count == 127:
            (count,) = struct.unpack(">Q", self.take(8))
        return first & 15, self.take(count)

    def take(self, count: int) -> bytes:
        while len(self.rest) < count:
            self.read()
        found, self.rest = self.rest[:count], self.rest[count:]
        return found

    def read(self) -> None:
        more = self.socket.recv(1 << 16)
        if not more:
            raise Closed(None)
        self.rest += more
