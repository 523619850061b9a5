"""A TCP proxy that makes a server far away: bytes arrive half the round trip later, in both directions.

Run as a program it prints the port that it listens on, and serves until its standard input ends:

  distance.py HOST PORT MILLISECONDS
"""

import asyncio
import sys


async def carried(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """Carries bytes until one side ends; however many are on their way, each arrives `delay` after it was sent."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        if not writer.is_closing():
            writer.close()

    def write(data: bytes) -> None:
        if not writer.is_closing():
            writer.write(data)

    try:
        while data := await reader.read(1 << 16):
            loop.call_later(delay, write, data)
    except OSError:
        pass
    loop.call_later(delay, end)


async def serve(host: str, port: int, delay: float) -> None:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(2 * delay)  # what a handshake takes
        try:
            far_reader, far_writer = await asyncio.open_connection(host, port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(carried(reader, far_writer, delay), carried(far_reader, writer, delay))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]) / 2000))
