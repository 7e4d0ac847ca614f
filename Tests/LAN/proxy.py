"""A slow and narrow line: passes TCP on in small pieces, each late.

    proxy.py PORT HOST PORT
"""

import asyncio
import random
import sys

DELAY = 0.03
PIECE = 200


async def passes_on(reader, writer, seed):
    numbers = random.Random(seed)
    try:
        while data := await reader.read(4096):
            await asyncio.sleep(DELAY)
            while data:
                size = numbers.randint(1, PIECE)
                writer.write(data[:size])
                await writer.drain()
                data = data[size:]
                await asyncio.sleep(0)
    except OSError:
        pass
    finally:
        writer.close()


async def main(port, host, target):
    async def accepted(reader, writer):
        try:
            there, back = await asyncio.open_connection(host, target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(passes_on(reader, back, 1), passes_on(there, writer, 2))

    server = await asyncio.start_server(accepted, "0.0.0.0", port)
    async with server:
        await server.serve_forever()


asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
