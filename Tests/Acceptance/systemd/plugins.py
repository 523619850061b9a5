"""Runs under systemd: a plugin as a unit of its own, a film saved from it, and a picture that is scaled."""

import re
import socket
import struct
import subprocess
import threading
import time
import zlib
from pathlib import Path

CONTROL = "/run/moviesync/control.sock"


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    print("$", *words, "\n" + done.stdout + done.stderr)
    done.check_returncode()
    return done.stdout


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


def wait_for_plugin(name: str) -> None:
    """Returns when a plugin runs; fails after half a minute."""
    end = time.monotonic() + 30
    while True:
        if re.search(rf"^{name} +running ", run("moviesync", "plugin", "list"), re.M):
            return
        assert time.monotonic() < end, f"{name} does not run"
        time.sleep(0.05)


def get(path: str) -> tuple[str, bytes]:
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(CONTROL)
        control.sendall(f"GET {path} HTTP/1.1\r\nHost: control\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: control.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode(), body


serve_pictures()
run("systemd-sysusers")
run("systemd-tmpfiles", "--create", "moviesync.conf")
run("moviesyncd", "check-config", "--config", "/etc/moviesync/moviesync.yaml")
run("systemctl", "start", "moviesyncd")
install_units(run("moviesync", "plugin", "unit", "facts"))
run("systemctl", "daemon-reload")
run("systemctl", "start", "moviesync-plugin-facts.socket")
run("moviesync", "plugin", "restart", "facts")
wait_for_plugin("facts")
run("moviesync", "search", "--catalog", "facts", "alien")
run("moviesync", "plugin", "list")
run("moviesync", "save", "1", "--watched", "--wait")
assert "Alien" in run("moviesync", "list")
exposure = run("systemd-analyze", "security", "--no-pager", "moviesync-plugin-facts@one.service").splitlines()[-1]
print("exposure of the plugin:", re.findall(r"\d+\.\d", exposure)[0])
head, body = get("/v1/art/https:%2F%2Fm.media-amazon.com%2Fx.jpg?width=300")
kind = re.findall(r"Content-Type: (\S+)", head)[0]
print("picture:", head.split()[1], kind if body.startswith(b"\xff\xd8\xff") else "but no JPEG")
run("systemctl", "stop", "moviesyncd")
assert run("systemctl", "show", "--property=Result", "moviesyncd").strip() == "Result=success"
