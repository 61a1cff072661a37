"""Links and shortest paths. A link is found by LLDP: a frame leaves through a port, and comes back from the switch at the other end."""

import struct
from collections import deque

from openflow import CONTROLLER, emitted, flow_mod, match, output

LLDP = 0x88CC
NEAREST_BRIDGE = bytes.fromhex('0180c200000e')
# The kind of identifier that is chosen by its owner.
LOCALLY_ASSIGNED = 7

# Every port gets one frame in this time, in turn.
CYCLE_SECONDS = 5
# A link without a frame for so long is gone.
EXPIRY_SECONDS = 10


def probe_of(place, address):
    """The frame that finds out where a port leads to. A place is a switch and a port of it."""
    chassis, port = [struct.pack('!BI', LOCALLY_ASSIGNED, number) for number in place]
    values = [(1, chassis), (2, port), (3, struct.pack('!H', 120)), (0, b'')]
    fields = b''.join(struct.pack('!H', kind << 9 | len(value)) + value for kind, value in values)
    return (NEAREST_BRIDGE + address + struct.pack('!H', LLDP) + fields).ljust(60, b'\0')


def is_probe(frame):
    return struct.unpack_from('!H', frame, 12) == (LLDP,)


def origin_of(probe):
    """The place that a probe comes from: both of its identifiers have five bytes."""
    return struct.unpack_from('!I', probe, 17)[0], struct.unpack_from('!I', probe, 24)[0]


class Discovery:
    def __init__(self, switches, changed, clock):
        self.switches, self.changed, self.clock = switches, changed, clock
        # When a frame was last heard, by the two places of a link in one direction.
        self.links = {}
        self.turns = deque()
        clock.later(CYCLE_SECONDS, self.probe_next)
        clock.later(EXPIRY_SECONDS / 2, self.expire)

    def is_link(self, place):
        return any(place in link for link in self.links)

    def up(self, switch):
        switch.send(flow_mod(match(dl_type=LLDP), output(CONTROLLER), priority=0xFFFF))
        for number in switch.ports:
            self.probe(switch, number)

    def probe(self, switch, number):
        port = switch.ports.get(number)
        if port is not None and port.is_up:
            switch.send(emitted(probe_of((switch.number, number), port.address), number))

    def probe_next(self):
        if not self.turns:
            self.turns.extend((switch, number) for switch in self.switches.values() for number in switch.ports)
        if self.turns:
            switch, number = self.turns.popleft()
            if self.switches.get(switch.number) is switch:
                self.probe(switch, number)
        ports = sum(len(switch.ports) for switch in self.switches.values())
        self.clock.later(CYCLE_SECONDS / max(1, ports), self.probe_next)

    def take(self, probe, place):
        """A probe has come back from a place."""
        link = (origin_of(probe), place)
        if link[0][0] not in self.switches:
            return
        is_new = link not in self.links
        self.links[link] = self.clock.now()
        if is_new:
            print('link s%d.%d-s%d.%d' % (*link[0], *link[1]), flush=True)
            self.changed(link)

    def port_changed(self, switch, port):
        if port.is_up:
            self.probe(switch, port.number)
        else:
            self.forget(lambda link: (switch.number, port.number) in link)

    def down(self, switch):
        self.forget(lambda link: any(number == switch.number for number, _port in link))

    def expire(self):
        limit = self.clock.now() - EXPIRY_SECONDS
        self.forget(lambda link: self.links[link] < limit)
        self.clock.later(EXPIRY_SECONDS / 2, self.expire)

    def forget(self, is_gone):
        for link in [link for link in self.links if is_gone(link)]:
            del self.links[link]
            print('no link s%d.%d-s%d.%d' % (*link[0], *link[1]), flush=True)
            self.changed(link)

    def neighbors(self, number):
        """The ports that lead to other switches by links that are known in both directions."""
        return {there[0]: here[1] for here, there in self.links if here[0] == number and (there, here) in self.links}

    def path(self, start, place):
        """The places by which the shortest path leaves its switches: from a switch to a place. None if there is none."""
        before = {start: None}
        queue = deque([start])
        while queue and place[0] not in before:
            number = queue.popleft()
            for neighbor in sorted(self.neighbors(number)):
                if neighbor not in before:
                    before[neighbor] = number
                    queue.append(neighbor)
        if place[0] not in before:
            return None
        path = [place]
        while (number := before[path[0][0]]) is not None:
            path.insert(0, (number, self.neighbors(number)[path[0][0]]))
        return path
