"""asyncio with a pool of threads that works. A message asks for answers; the log gets a sign when all are printed."""
import asyncio, json, os, sys, time
from concurrent.futures import ThreadPoolExecutor

log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
print("pid", os.getpid(), file=sys.stderr, flush=True)


def work(ms):
    until = time.perf_counter() + ms / 1000
    while time.perf_counter() < until:
        pass
    return ms


async def handle(loop, pool, message):
    for done in asyncio.as_completed([loop.run_in_executor(pool, work, ms) for ms in message["work"]]):
        print(json.dumps({"to": "peer", "message": await done}), flush=True)
    os.write(log, b"-")


async def main():
    loop = asyncio.get_running_loop()
    pool = ThreadPoolExecutor(4)
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        asyncio.ensure_future(handle(loop, pool, json.loads(line)["message"]))


asyncio.run(main())
