"""A catalog of a few films, served on this machine as The Movie Database answers: for demonstrations without a key."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

# Facts that anybody knows: a number of our own, the title, the day it came out.
FILMS = [
    (1, "Metropolis", "1927-01-10"),
    (2, "M", "1931-05-11"),
    (3, "The Third Man", "1949-09-01"),
    (4, "The Third Murder", "2017-09-09"),
    (5, "Third Star", "2010-06-20"),
    (6, "The Night of the Hunter", "1955-07-26"),
    (7, "Close Encounters of the Third Kind", "1977-11-16"),
    (8, "Playtime", ""),
]
ROWS_OF_PAGE = 20


def row(film: tuple) -> dict:
    number, title, date = film
    return {
        "id": number, "title": title, "original_title": title, "release_date": date, "overview": "",
        "poster_path": None, "backdrop_path": None,
    }


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        self.server.asked.append(address.path)
        parts = address.path.strip("/").split("/")
        if parts == ["3", "search", "movie"]:
            words = query.get("query", "").casefold()
            return self.page([film for film in FILMS if words in film[1].casefold()])
        if len(parts) == 3 and parts[2].isdigit():
            found = [film for film in FILMS if film[0] == int(parts[2])]
            if found:
                return self.say(200, row(found[0]) | {"external_ids": {}, "images": {}})
            return self.say(404, {"status_code": 34, "status_message": "The resource could not be found."})
        return self.page(FILMS)

    def page(self, films: list) -> None:
        self.say(200, {
            "page": 1, "results": [row(film) for film in films[:ROWS_OF_PAGE]], "total_pages": 1,
            "total_results": len(films),
        })

    def say(self, status: int, answer: dict) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments) -> None:
        pass


class Catalog:
    """The server; `stop` ends it."""

    def __init__(self):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
        self._server.daemon_threads = True
        self._server.asked = []
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="catalog")
        self._thread.start()

    @property
    def asked(self) -> list[str]:
        """The paths of all requests so far."""
        return self._server.asked

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
