"""What both scripts share: arguments, steps with a name, and waiting for events with a deadline."""

import argparse
import queue
import sys
import threading
import traceback

STEPS = []

# Closing a listener of either library makes its thread fail on the closed socket; that is no failure of the server.
threading.excepthook = lambda arguments: None


def step(function):
    """Marks a function as a step; its docstring is the name that is reported."""
    STEPS.append(function)
    return function


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found!r}, wanted {wanted!r}")


class Events:
    """Events of a listener, in order."""

    def __init__(self):
        self.queue = queue.Queue()

    def next(self, seconds=10):
        return self.queue.get(timeout=seconds)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True, help="for example http://127.0.0.1:9000")
    return parser.parse_args()


def run(title):
    """Runs every step; exits with 1 where one failed."""
    failed = 0
    for function in STEPS:
        try:
            function()
            print(f"ok    {title}: {function.__doc__}")
        except Exception:  # noqa: BLE001 - whatever it is, the other steps go on
            failed += 1
            print(f"FAIL  {title}: {function.__doc__}")
            traceback.print_exc()
    print(f"{title}: {len(STEPS) - failed} of {len(STEPS)} steps passed")
    sys.stdout.flush()
    sys.exit(1 if failed else 0)
