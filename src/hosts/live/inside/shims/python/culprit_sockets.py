"""Brings the connections of a program through the one socket of culprit, so that the operating system cannot reorder what they carry.

The program keeps real sockets: for each connection this module connects to the listener of the program, from the address of the other end. What the program
sends on such a connection is written to the one socket instead, in the order in which the program sends it. What comes through the one socket is handed on piece by
piece: the next one only when the program has read the one before, so that `select` never has a choice.
"""

import base64
import collections
import os
import socket
from _thread import allocate_lock

RealSocket = socket.socket


class End:
    """Our end of a connection to the program."""

    def __init__(self, source, port):
        self.source = source
        self.port = port
        self.socket = RealSocket(socket.AF_INET)
        self.socket.bind((source, 0))


class Connections:
    def __init__(self, culprit):
        self.culprit = culprit
        self.lock = allocate_lock()
        # What came through the one socket and the program has not got yet.
        self.queue = collections.deque()
        # Our ends, and those of the program, by number. The numbers of those that the program has not accepted yet, by address.
        self.ends = {}
        self.accepted = {}
        self.connecting = {}
        # Which connection the program has to read, and how many bytes; accepting one counts as reading from it.
        self.current = None
        self.unread = 0

    def take(self, content):
        """A line of culprit about a connection."""
        with self.lock:
            self.queue.append(content)
            self.hand_on()

    def hand_on(self):
        while self.unread == 0 and self.queue:
            content = self.queue.popleft()
            self.current = content['socket']
            getattr(self, 'hand_on_' + content['name'])(self.current, content)

    def hand_on_connect(self, number, content):
        listener = next((one for one in LISTENERS if one.place[1] == content['port']), None)
        if listener is None:
            return self.culprit.tell({'name': 'refused', 'socket': number})
        end = self.ends[number] = End(content.get('from', ''), content['port'])
        self.connecting[end.socket.getsockname()] = number
        self.unread = 1
        end.socket.connect(listener.getsockname())

    def hand_on_data(self, number, content):
        if number in self.ends:
            data = base64.b64decode(content['data'])
            self.unread = len(data)
            self.ends[number].socket.sendall(data)

    def hand_on_closed(self, number, _):
        end = self.ends.pop(number, None)
        if end is not None:
            end.socket.close()

    def accept(self, connection, place):
        """The program has accepted a connection."""
        with self.lock:
            number = connection.number = self.connecting.pop(place, None)
            if number is not None:
                self.accepted[number] = connection
        self.read(number, 1)

    def read(self, number, count):
        """The program has read so many bytes."""
        with self.lock:
            if number is not None and number == self.current:
                self.unread = max(0, self.unread - count)
                self.hand_on()

    def closed(self, number):
        """The program has closed the connection: it reads nothing more of it."""
        self.culprit.tell({'name': 'closed', 'socket': number})
        with self.lock:
            self.accepted.pop(number, None)
            self.hand_on_closed(number, None)
            if number == self.current:
                self.unread = 0
                self.hand_on()

    def descriptors(self):
        """Those of all connections and listeners."""
        ours = [end.socket for end in self.ends.values()]
        return {one.fileno() for one in (*LISTENERS, *self.accepted.values(), *ours)}

    def obstacle(self):
        """Why the connections cannot be those of a checkpoint; None if they can."""
        if self.unread > 0 or self.queue or self.connecting:
            return 'it has not read everything yet'
        if self.ends.keys() != self.accepted.keys() or any(one.is_shut for one in self.accepted.values()):
            return 'it has connections that are closed by half'
        return None

    def let_go(self):
        """In a fork: what it shares with the other process must end when that one closes it. The numbers of descriptors stay taken."""
        for end in self.ends.values():
            end.socket.close()
        nothing = os.open(os.devnull, os.O_RDWR)
        for one in (*LISTENERS, *self.accepted.values()):
            os.dup2(nothing, one.fileno(), inheritable=False)
        os.close(nothing)

    def open_again(self):
        """In a fork: makes listeners and connections of its own. The port is another one, because the other process may still have it."""
        listeners = {one.place[1]: listening_at(one.place[0]) for one in LISTENERS}
        for number, end in self.ends.items():
            end = self.ends[number] = End(end.source, end.port)
            end.socket.connect(listeners[end.port].getsockname())
            replace(self.accepted[number], listeners[end.port].accept()[0])
        for one in LISTENERS:
            replace(one, listeners[one.place[1]])


def listening_at(address):
    listener = RealSocket(socket.AF_INET)
    listener.bind((address, 0))
    listener.listen()
    return listener


def replace(one, other):
    """Gives the descriptor of a socket to another one: the program may be waiting for that number."""
    os.dup2(other.fileno(), one.fileno(), inheritable=False)
    os.set_blocking(one.fileno(), one.gettimeout() is None)
    other.close()


LISTENERS = []


def replace_sockets(culprit):
    connections = Connections(culprit)
    for name in ('connect', 'data', 'closed'):
        culprit.takers[name] = connections.take

    class Socket(RealSocket):
        number = None
        # Whether the program has closed one direction.
        is_shut = False

        def listen(self, *args):
            super().listen(*args)
            if self.family == socket.AF_INET and self not in LISTENERS:
                self.place = self.getsockname()
                LISTENERS.append(self)

        def accept(self):
            # It makes an object of the class `socket.socket`, which is this one.
            connection, place = super().accept()
            connections.accept(connection, place)
            return connection, place

        def send(self, data, *flags):
            if self.number is None:
                return super().send(data, *flags)
            text = base64.b64encode(data).decode()
            culprit.tell({'name': 'data', 'socket': self.number, 'data': text})
            return len(data)

        def sendall(self, data, *flags):
            if self.number is None:
                super().sendall(data, *flags)
            else:
                self.send(data)

        def recv(self, *args):
            data = super().recv(*args)
            connections.read(self.number, len(data))
            return data

        def recv_into(self, *args):
            count = super().recv_into(*args)
            connections.read(self.number, count)
            return count

        def shutdown(self, how):
            if self.number is not None and how != socket.SHUT_RD:
                culprit.tell({'name': 'closed', 'socket': self.number})
            self.is_shut = True
            super().shutdown(how)

        def _real_close(self, *args):
            if self in LISTENERS:
                LISTENERS.remove(self)
            number, self.number = self.number, None
            if number is not None:
                connections.closed(number)
            super()._real_close(*args)

    socket.socket = Socket
    return connections
