"""A learning switch for OpenFlow 1.0 in plain Python: no library, one `select`, and a timer.

python3 plain_controller.py <address> <port>

It forgets where a station is after AGE_S seconds without a packet from it. With a random number of its own it chooses one of the switches as the leader, and
it asks all switches in turn for an echo every ECHO_S seconds.
"""
import logging
import random
import select
import socket
import struct
import sys
import threading
import time

HELLO, ERROR, ECHO_REQUEST, ECHO_REPLY, FEATURES_REQUEST, FEATURES_REPLY = 0, 1, 2, 3, 5, 6
PACKET_IN, PACKET_OUT, FLOW_MOD = 10, 13, 14
FLOOD, NO_BUFFER = 0xFFFB, 0xFFFFFFFF
# Everything but the port of arrival and both addresses is wild.
IN_PORT_AND_MACS = 0x3820FF & ~0xD
AGE_S, ECHO_S = 30, 5

log = logging.getLogger('plain')


def message(kind, xid, body=b''):
    return struct.pack('!BBHI', 1, kind, 8 + len(body), xid) + body


def output(port):
    return struct.pack('!HHHH', 0, 8, port, 0)


class Switch:
    """A connection of a switch."""

    def __init__(self, connection, place):
        self.connection = connection
        self.name = place[0]
        self.dpid = None
        self.unread = b''
        self.places = {}

    def send(self, kind, xid, body=b''):
        self.connection.sendall(message(kind, xid, body))

    def messages(self, chunk):
        """The messages that the chunk completes."""
        self.unread += chunk
        while len(self.unread) >= 8:
            _, kind, length, xid = struct.unpack('!BBHI', self.unread[:8])
            if length < 8:
                raise ValueError('a message of %d bytes' % length)
            if len(self.unread) < length:
                return
            body, self.unread = self.unread[8:length], self.unread[length:]
            yield kind, xid, body


class Controller:
    def __init__(self, address, port):
        self.listener = socket.create_server((address, port), backlog=128)
        self.switches = {}
        self.leader = None
        log.info('listens at %s:%d', address, port)

    def run(self):
        self.plan_echo()
        while True:
            readable, _, _ = select.select([self.listener, *self.switches], [], [])
            for connection in readable:
                if connection is self.listener:
                    self.accept()
                elif connection in self.switches:
                    self.read(self.switches[connection])

    def accept(self):
        connection, place = self.listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.switches[connection] = Switch(connection, place)

    def read(self, switch):
        try:
            chunk = switch.connection.recv(65536)
            for kind, xid, body in switch.messages(chunk):
                self.handle(switch, kind, xid, body)
        except (OSError, ValueError) as error:
            log.warning('%s: %s', switch.name, error)
            chunk = b''
        if chunk == b'':
            self.forget(switch)

    def forget(self, switch):
        log.info('switch %s is gone', switch.dpid)
        del self.switches[switch.connection]
        switch.connection.close()
        if self.leader is switch:
            self.choose_leader()

    def handle(self, switch, kind, xid, body):
        if kind == HELLO:
            switch.send(HELLO, xid)
            switch.send(FEATURES_REQUEST, xid)
        elif kind == FEATURES_REPLY:
            (switch.dpid,) = struct.unpack('!Q', body[:8])
            log.info('switch %d is there', switch.dpid)
            self.choose_leader()
        elif kind == ECHO_REQUEST:
            switch.send(ECHO_REPLY, xid, body)
        elif kind == PACKET_IN:
            self.packet_in(switch, xid, body)
        elif kind == ERROR:
            log.warning('switch %s refuses a message', switch.dpid)

    def choose_leader(self):
        known = sorted((s for s in self.switches.values() if s.dpid is not None), key=lambda s: s.dpid)
        self.leader = random.choice(known) if known else None
        log.info('the leader is %s', self.leader and self.leader.dpid)

    def packet_in(self, switch, xid, body):
        buffer_id, _, in_port = struct.unpack('!IHH', body[:8])
        frame = body[10:]
        to, source = frame[:6], frame[6:12]
        now = time.time()
        if switch.places.get(source, (None, 0))[0] != in_port:
            log.info('switch %s: %s is at port %d', switch.dpid, source.hex(':'), in_port)
        switch.places[source] = in_port, now
        port, seen = switch.places.get(to, (FLOOD, now))
        if now - seen > AGE_S:
            log.info('switch %s: %s is too old', switch.dpid, to.hex(':'))
            port = FLOOD
        if port != FLOOD:
            match = struct.pack('!IH6s6sHBxHBB2xIIHH', IN_PORT_AND_MACS, in_port, source, to, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            entry = struct.pack('!QHHHHIHH', 0, 0, 0, 0, 32768, NO_BUFFER, 0xFFFF, 0)
            switch.send(FLOW_MOD, xid, match + entry + output(port))
        data = b'' if buffer_id != NO_BUFFER else frame
        switch.send(PACKET_OUT, xid, struct.pack('!IHH', buffer_id, in_port, 8) + output(port) + data)

    def plan_echo(self):
        timer = threading.Timer(ECHO_S, self.echo)
        timer.daemon = True
        timer.start()

    def echo(self):
        for switch in sorted(self.switches.values(), key=lambda s: s.dpid or 0):
            switch.send(ECHO_REQUEST, 0)
        self.plan_echo()


if __name__ == '__main__':
    logging.basicConfig(level=logging.INFO, format='%(message)s')
    Controller(sys.argv[1], int(sys.argv[2])).run()
