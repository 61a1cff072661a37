# A key-value store, one JSON object a line: store.py <port> <address> [stale]
import json, socketserver, sys

values = {}
old = {}

class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            request = json.loads(line)
            if request["type"] == "write":
                old[request["key"]] = values.get(request["key"])
                values[request["key"]] = request["value"]
                reply = {"type": "written"}
            else:
                of = old if "stale" in sys.argv else values
                reply = {"type": "value", "value": of.get(request["key"])}
            self.wfile.write((json.dumps(reply) + "\n").encode())

class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

Server((sys.argv[2], int(sys.argv[1])), Handler).serve_forever()
