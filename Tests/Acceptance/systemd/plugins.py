"""Runs under systemd: a plugin as a unit of its own, a film saved from it, and a picture that is scaled."""

import re
import socket
import struct
import threading
import zlib
from pathlib import Path

from inside import get, install, run, until


def png(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress(b"".join(b"\0" + bytes([y & 255]) * (3 * width) for y in range(height)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def serve_pictures() -> None:
    body = png(2000, 3000)
    listener = socket.create_server(("127.0.0.1", 8765))

    def answer() -> None:
        while True:
            connection, _ = listener.accept()
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            connection.close()

    threading.Thread(target=answer, daemon=True).start()


def install_units(text: str) -> None:
    for path, unit in re.findall(r"^# Into (\S+):\n(.*?)(?=^# Into|^# Then)", text, re.S | re.M):
        Path(path).write_text(unit)


serve_pictures()
install()
run("moviesyncd", "check-config", "--config", "/etc/moviesync/moviesync.yaml")
run("systemctl", "start", "moviesyncd")
install_units(run("moviesync", "plugin", "unit", "facts"))
run("systemctl", "daemon-reload")
run("systemctl", "start", "moviesync-plugin-facts.socket")
run("moviesync", "plugin", "restart", "facts")
until("the plugin runs", lambda: re.search(r"^facts +running ", run("moviesync", "plugin", "list"), re.M))
run("moviesync", "search", "--catalog", "facts", "alien")
run("moviesync", "plugin", "list")
run("moviesync", "save", "1", "--watched", "--wait")
assert "Alien" in run("moviesync", "list")
exposure = run("systemd-analyze", "security", "--no-pager", "moviesync-plugin-facts@one.service").splitlines()[-1]
print("exposure of the plugin:", re.findall(r"\d+\.\d", exposure)[0])
head, body = get("/v1/art/https:%2F%2Fm.media-amazon.com%2Fx.jpg?width=300")
kind = re.findall(r"Content-Type: (\S+)", head)[0]
print("picture:", head.split()[1], kind if body.startswith(b"\xff\xd8\xff") else "but no JPEG")
run("systemctl", "stop", "moviesyncd.socket", "moviesyncd")
assert run("systemctl", "show", "--property=Result", "moviesyncd").strip() == "Result=success"
