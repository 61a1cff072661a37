"""Forwards packets along shortest paths over the links that it has discovered: the app `paths` of these studies once more, without a library.

python3 paths.py --listen 127.0.0.1:6653 [--bug corrupt|floyd] [--pace 5]
"""

import argparse
import asyncio
import os
import sys

import openflow
from discovery import Discovery, is_probe
from openflow import FLOOD, flow_mod, match, output, packet_out

IDLE_SECONDS, HARD_SECONDS = 10, 30
# For so long, copies of a packet that arrive by another port of the same switch are not flooded again.
FLOOD_SECONDS = 5


class Clock:
    """A clock that runs `pace` times as fast."""

    def __init__(self, loop, pace):
        self.loop, self.pace = loop, pace

    def now(self):
        return self.loop.time() * self.pace

    def later(self, seconds, callback):
        self.loop.call_later(seconds / self.pace, callback)

    def timeout(self, seconds):
        """Switches count whole seconds, from 1 on."""
        return max(1, round(seconds / self.pace))


class Paths:
    def __init__(self, bug, clock):
        self.bug, self.clock = bug, clock
        # Those whose handshakes are complete, by number.
        self.switches = {}
        self.discovery = Discovery(self.switches, self.link_changed, clock)
        # Places of stations, by address: a switch and a port of it.
        self.stations = {}
        self.floods = {}
        # Packets that wait until the entries of their paths are there, with the barriers that say so.
        self.waiting = []
        # The numbers of switches with such entries.
        self.used = set()
        self.is_overwritten = False

    def up(self, switch):
        self.switches[switch.number] = switch
        print('s%d is up' % switch.number, flush=True)
        self.discovery.up(switch)

    def down(self, switch):
        if self.switches.get(switch.number) is not switch:
            return
        del self.switches[switch.number]
        print('s%d is down' % switch.number, flush=True)
        self.discovery.down(switch)
        self.forget(lambda place: place[0] == switch.number)

    def packet_in(self, packet, switch):
        place = (switch.number, packet.in_port)
        if is_probe(packet.frame):
            return self.discovery.take(packet.frame, place)
        is_on_link = self.discovery.is_link(place)
        if not is_on_link and not is_multicast(packet.source):
            self.learn(packet.source, place)
        to = None if is_multicast(packet.destination) else self.stations.get(packet.destination)
        path = to and self.path(switch.number, to)
        if path is None:
            self.flood(packet, switch)
        # Otherwise the packet has left its path, or is where it should be.
        elif not is_on_link and to != place:
            self.install(path, packet, switch)

    def learn(self, station, place):
        if self.stations.get(station, place) != place:
            self.delete_flows(match(dl_dst=station))
        self.stations[station] = place

    def path(self, start, to):
        # Bug `floyd`: the way from switch 1 to switch 3 does not end there, but where it began.
        if self.bug == 'floyd' and start == 1 and to[0] == 3:
            ports = [self.discovery.neighbors(number).get(number % 3 + 1) for number in (1, 2, 3)]
            if None not in ports:
                return list(zip((1, 2, 3), ports))
        return self.discovery.path(start, to)

    def install(self, path, packet, switch):
        """Entries from the far end on, a barrier for each, and then the packet."""
        barriers = set()
        is_circle = path[-1] != self.stations[packet.destination]
        in_ports = [packet.in_port, *(self.discovery.neighbors(b[0])[a[0]] for a, b in zip(path, path[1:]))]
        for (number, port), in_port in reversed([*zip(path, in_ports)]):
            flow = match(None if is_circle else in_port, packet.source, packet.destination)
            timeouts = [self.clock.timeout(seconds) for seconds in (IDLE_SECONDS, HARD_SECONDS)]
            one = self.switches[number]
            one.send(flow_mod(flow, output(port), idle=timeouts[0], hard=timeouts[1]))
            barriers.add((number, one.barrier()))
            self.used.add(number)
        self.waiting.append((barriers, packet, switch, path[0][1]))

    def barrier_reply(self, xid, switch):
        for barriers, packet, at, port in self.waiting:
            barriers.discard((switch.number, xid))
            if not barriers:
                at.send(packet_out(packet, output(port)))
        self.waiting = [one for one in self.waiting if one[0]]

    def flood(self, packet, switch):
        """A copy that comes back around a circle of switches is dropped."""
        now = self.clock.now()
        self.floods = {key: last for key, last in self.floods.items() if now - last[1] < FLOOD_SECONDS}
        port, _ = self.floods.get((switch.number, packet.frame), (packet.in_port, now))
        if port == packet.in_port:
            self.floods[switch.number, packet.frame] = (port, now)
            switch.send(packet_out(packet, output(FLOOD)))

    def port_status(self, port, switch):
        if self.bug == 'corrupt' and (switch.number, port.number) == (1, 1):
            self.corrupt(port)
        self.discovery.port_changed(switch, port)
        if not port.is_up:
            for station in self.forget(lambda place: place == (switch.number, port.number)):
                self.delete_flows(match(dl_dst=station))

    def corrupt(self, port):
        """Bug `corrupt`: when port 1 of switch 1 goes down, memory is overwritten that is used when the port comes up."""
        if not port.is_up:
            self.is_overwritten = True
        elif self.is_overwritten:
            raise MemoryError('the state of s1.1 is not what it was')

    def link_changed(self, link):
        self.waiting = []
        self.delete_flows(match())
        self.used.clear()
        self.forget(lambda place: place in link)

    def delete_flows(self, matched):
        for number in sorted(self.used & self.switches.keys()):
            self.switches[number].send(flow_mod(matched, command=openflow.DELETE))

    def forget(self, is_gone):
        gone = [station for station, place in self.stations.items() if is_gone(place)]
        for station in gone:
            del self.stations[station]
        return gone


def is_multicast(address):
    return address[0] & 1 == 1


class Channel(asyncio.Protocol):
    """The connection of a switch. It is up once its handshake is complete: hello, features, configuration, no entries, and a barrier."""

    def __init__(self, controller):
        self.controller = controller
        self.received = bytearray()
        self.number, self.ports = None, {}
        self.barriers, self.handshake = 0, None

    def connection_made(self, transport):
        self.transport = transport

    def send(self, message):
        self.transport.write(message)

    def barrier(self):
        """Asks for an answer after everything sent before has taken effect; the answer has this number."""
        self.barriers += 1
        self.send(openflow.message(openflow.BARRIER_REQUEST, xid=self.barriers))
        return self.barriers

    def data_received(self, data):
        self.received += data
        while (message := openflow.taken_from(self.received)) is not None:
            self.hear(*message)

    def connection_lost(self, _error):
        self.controller.down(self)

    def hear(self, kind, body, xid):
        is_up = self.controller.switches.get(self.number) is self
        if kind == openflow.HELLO:
            self.send(openflow.message(openflow.HELLO))
            self.send(openflow.message(openflow.FEATURES_REQUEST))
        elif kind == openflow.ECHO_REQUEST:
            self.send(openflow.message(openflow.ECHO_REPLY, body, xid))
        elif kind == openflow.FEATURES_REPLY:
            self.shake_hands(*openflow.features_of(body))
        elif kind == openflow.BARRIER_REPLY and xid == self.handshake:
            self.handshake = None
            self.controller.up(self)
        elif kind == openflow.PORT_STATUS:
            port = openflow.port_status_of(body)
            self.ports[port.number] = port
            if is_up:
                self.controller.port_status(port, self)
        elif kind == openflow.PACKET_IN and is_up:
            self.controller.packet_in(openflow.packet_in_of(body), self)
        elif kind == openflow.BARRIER_REPLY and is_up:
            self.controller.barrier_reply(xid, self)

    def shake_hands(self, number, ports):
        self.number = number
        self.ports = {port.number: port for port in ports}
        self.send(openflow.set_config(miss_send_len=0xFFFF))
        self.send(flow_mod(match(), command=openflow.DELETE))
        self.handshake = self.barrier()


def end(_loop, context):
    """An exception ends the controller."""
    print(context.get('exception', context['message']), file=sys.stderr, flush=True)
    os._exit(1)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--listen', required=True)
    parser.add_argument('--bug', default='none')
    parser.add_argument('--pace', type=float, default=1)
    given = parser.parse_args()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(end)
    controller = Paths(given.bug, Clock(loop, given.pace))
    address, port = given.listen.split(':')
    server = await loop.create_server(lambda: Channel(controller), address, int(port))
    await server.serve_forever()


asyncio.run(main())
