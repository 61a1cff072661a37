#!/usr/bin/env python3
"""A node for Maelstrom's lin-kv. A node that gets a request becomes the leader: a majority promises to follow it and shows it
the newest state, as in Paxos. The leader of a term answers when a majority has accepted the state of its answer.

With STALE_READS=1 a leader answers reads from its own memory, without asking whether it still leads.
"""
import json
import os
import sys

stale_reads = os.environ.get("STALE_READS") == "1"

node = None
nodes = []
# What this node has promised and accepted. It must survive a crash, so it is written down before every answer.
saved = {"promised": 0, "accepted": [0, 0], "state": {}}
# As a leader: its term, whether a majority follows it, and the number of its last proposal.
term = 0
seen = 0  # the highest term that another node has mentioned
leads = False
proposal = 0
promises = []
accepts = {}  # by proposal: the nodes that accepted it, and what to answer then
queue = []  # requests that wait until this node leads


def send(dest, body):
    print(json.dumps({"src": node, "dest": dest, "body": body}), flush=True)


def save():
    with open("saved.json.new", "w") as file:
        json.dump(saved, file)
    os.replace("saved.json.new", "saved.json")


def others():
    return [name for name in nodes if name != node]


def majority(count):
    return count > len(nodes) // 2


def next_term():
    """Terms of different nodes differ."""
    rounds = max(term, seen, saved["promised"]) // len(nodes) + 1
    return rounds * len(nodes) + nodes.index(node)


def campaign():
    global term, leads, promises
    term, leads = next_term(), False
    saved["promised"] = term
    save()
    promises = [(saved["accepted"], saved["state"])]
    for name in others():
        send(name, {"type": "prepare", "term": term})
    check_promises()


def check_promises():
    global leads
    if leads or not majority(len(promises)):
        return
    leads = True
    saved["accepted"], saved["state"] = max(promises, key=lambda one: one[0])
    waiting, queue[:] = queue[:], []
    for src, body in waiting:
        perform(src, body)


def perform(src, body):
    """Applies a request to the state, and answers when a majority has accepted the result."""
    key, state = str(body["key"]), dict(saved["state"])
    answer = {"type": body["type"] + "_ok", "in_reply_to": body["msg_id"]}
    if body["type"] == "write":
        state[key] = body["value"]
    elif key not in state:
        answer = {"type": "error", "in_reply_to": body["msg_id"], "code": 20, "text": "not found"}
    elif body["type"] == "read":
        answer["value"] = state[key]
    elif state[key] == body["from"]:
        state[key] = body["to"]
    else:
        answer = {"type": "error", "in_reply_to": body["msg_id"], "code": 22, "text": "has changed"}
    if body["type"] == "read" and stale_reads:
        send(src, answer)
    else:
        propose(state, lambda: send(src, answer))


def propose(state, done):
    global proposal
    proposal += 1
    saved["accepted"], saved["state"] = [term, proposal], state
    save()
    accepts[proposal] = {"by": {node}, "done": done}
    for name in others():
        send(name, {"type": "accept", "term": term, "proposal": proposal, "state": state})
    check_accepts(proposal)


def check_accepts(number):
    if number in accepts and majority(len(accepts[number]["by"])):
        accepts.pop(number)["done"]()


def handle(src, body):
    global node, nodes, seen, leads
    kind = body["type"]
    if kind == "init":
        node, nodes = body["node_id"], body["node_ids"]
        if os.path.exists("saved.json"):
            with open("saved.json") as file:
                saved.update(json.load(file))
        send(src, {"type": "init_ok", "in_reply_to": body["msg_id"]})
    elif kind in ("read", "write", "cas"):
        if leads:
            perform(src, body)
        else:
            queue.append((src, body))
            campaign()
    elif kind in ("prepare", "accept") and body["term"] < saved["promised"]:
        send(src, {"type": "reject", "term": body["term"], "promised": saved["promised"]})
    elif kind == "reject":
        seen = max(seen, body["promised"])
        leads = leads and body["term"] != term
    elif kind == "prepare":
        leads = False
        saved["promised"] = body["term"]
        save()
        send(src, {"type": "promise", "term": body["term"], "accepted": saved["accepted"], "state": saved["state"]})
    elif kind == "promise" and body["term"] == term:
        promises.append((body["accepted"], body["state"]))
        check_promises()
    elif kind == "accept" and [body["term"], body["proposal"]] > saved["accepted"]:
        saved.update(promised=body["term"], accepted=[body["term"], body["proposal"]], state=body["state"])
        save()
        send(src, {"type": "accepted", "term": body["term"], "proposal": body["proposal"]})
    elif kind == "accepted" and body["term"] == term and body["proposal"] in accepts:
        accepts[body["proposal"]]["by"].add(src)
        check_accepts(body["proposal"])


for line in sys.stdin:
    message = json.loads(line)
    handle(message["src"], message["body"])
