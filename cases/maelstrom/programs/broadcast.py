#!/usr/bin/env python3
"""A node for Maelstrom's broadcast: it passes every message on to its neighbors until they confirm it.

With FORGETFUL=1 it sends each message once and never again.
"""
import json
import os
import sys
import threading
import time

RETRY_SECONDS = 0.2
retries = os.environ.get("FORGETFUL") != "1"

lock = threading.Lock()
node = None
neighbors = []
messages = []
unconfirmed = {}  # by neighbor: the messages that it has not confirmed


def send(dest, body):
    print(json.dumps({"src": node, "dest": dest, "body": body}), flush=True)


def take(message, sender):
    if message in messages:
        return
    messages.append(message)
    for neighbor in neighbors:
        if neighbor != sender:
            unconfirmed.setdefault(neighbor, []).append(message)
            send(neighbor, {"type": "gossip", "message": message})


def handle(src, body):
    global node, neighbors
    kind = body["type"]
    answer = {"type": kind + "_ok", "in_reply_to": body.get("msg_id")}
    if kind == "init":
        node = body["node_id"]
    elif kind == "topology":
        neighbors = body["topology"].get(node, [])
    elif kind == "broadcast":
        take(body["message"], src)
    elif kind == "read":
        answer["messages"] = messages
    elif kind == "gossip":
        take(body["message"], src)
        answer = {"type": "confirm", "message": body["message"]}
    elif kind == "confirm":
        if body["message"] in unconfirmed.get(src, []):
            unconfirmed[src].remove(body["message"])
        return
    send(src, answer)


def retry():
    while True:
        time.sleep(RETRY_SECONDS)
        with lock:
            for neighbor, missing in unconfirmed.items():
                for message in missing:
                    send(neighbor, {"type": "gossip", "message": message})


if retries:
    threading.Thread(target=retry, daemon=True).start()
for line in sys.stdin:
    message = json.loads(line)
    with lock:
        handle(message["src"], message["body"])
