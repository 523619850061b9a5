"""A catalog of made-up films, as a plugin of moviesync: on standard input and output, or on the socket it is given."""

import json
import socket
import sys

ROWS_OF_PAGE = 100


def answered(line: str):
    """The lines that answer one call."""
    message = json.loads(line)
    call, number, given = message.get("call"), message.get("id"), message.get("with", {})
    if call == "hello":
        provides = {"catalog": {"collection": "movies", "search": True, "lists": ["all"]}}
        yield {"id": number, "ok": {"protocol": 1, "name": "measured", "version": "1", "provides": provides}}
    elif call == "catalog.search":
        yield {"id": number, "item": {"key": given["query"], "title": given["query"]}}
        yield {"id": number, "ok": {"next": None}}
    elif call == "catalog.list":
        first = int(given["page"] or 0)
        for key in range(first, first + ROWS_OF_PAGE):
            yield {"id": number, "item": {"key": f"film-{key}", "title": f"Film {key}", "year": 1900 + key % 120}}
        yield {"id": number, "ok": {"next": str(first + ROWS_OF_PAGE)}}
    elif "call" in message:
        yield {"id": number, "error": {"code": "unknownCall", "message": "there is no such call"}}


def serve(lines, answers) -> None:
    for line in lines:
        for answer in answered(line):
            answers.write(json.dumps(answer) + "\n")
        answers.flush()


if len(sys.argv) > 1:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(sys.argv[1])
        listener.listen()
        while True:
            connection, _ = listener.accept()
            with connection, connection.makefile("r") as calls, connection.makefile("w") as out:
                serve(calls, out)
else:
    serve(sys.stdin, sys.stdout)
