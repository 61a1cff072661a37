"""One thread. A message asks for answers, each after some milliseconds of work; the log gets a sign when all are printed."""
import json, os, sys, time

log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
print("pid", os.getpid(), file=sys.stderr, flush=True)

for line in sys.stdin:
    for ms in json.loads(line)["message"]["work"]:
        until = time.perf_counter() + ms / 1000
        while time.perf_counter() < until:
            pass
        print(json.dumps({"to": "peer", "message": ms}), flush=True)
    os.write(log, b"-")
