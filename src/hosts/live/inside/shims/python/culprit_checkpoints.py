"""Makes checkpoints of a program: a fork that waits, and forks again whenever the program is to proceed from there.

A fork has only the thread that forks, so the main thread does it: in the handler of a signal, which interrupts its wait. In a copy of the program the handler
returns, and the program waits for the same descriptors as before, which are sockets of its own by then.
"""

import os
import signal
import sys
from _thread import allocate_lock, get_ident

# One that hardly any program uses.
SIGNAL = signal.SIGRTMAX - 2
# How long the main thread may take to get to the handler.
WITHIN_S = 5
# Devices without a state that two processes could share.
DEVICES = {'/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'}


class Request:
    """Culprit asks for a checkpoint."""

    def __init__(self, number):
        self.number = number
        self.refused = None
        # Taken by the thread that answers: the main one, unless that takes too long.
        self.answering = allocate_lock()
        # Held until the main thread is done.
        self.under_way = allocate_lock()
        self.under_way.acquire()

    def line(self):
        refused = {} if self.refused is None else {'refused': self.refused}
        return {'type': 'async', 'name': 'snapshot', 'checkpoint': self.number, **refused}


class Checkpoints:
    def __init__(self, culprit, connections):
        self.culprit = culprit
        self.connections = connections
        self.main = get_ident()
        self.request = None
        # The processes of the checkpoints that this one has forked.
        self.forked = set()
        # Standard streams, and what the program does not know of.
        self.inherited = set(descriptors().items())
        culprit.takers['snapshot'] = self.take
        signal.signal(SIGNAL, self.handle)

    def take(self, content):
        """A line of culprit. The listening thread stays here meanwhile: a fork inherits no lock that it holds."""
        request = self.request = Request(content['checkpoint'])
        signal.pthread_kill(self.main, SIGNAL)
        if not request.under_way.acquire(timeout=WITHIN_S):
            if request.answering.acquire(False):
                request.refused = 'its main thread handles no signals'
            else:
                request.under_way.acquire()
        if request.refused is not None:
            self.culprit.write(request.line())

    def handle(self, *_):
        """In the main thread."""
        request, self.request = self.request, None
        if request is None or not request.answering.acquire(False):
            return
        try:
            self.answer(request)
        finally:
            request.under_way.release()

    def answer(self, request):
        locks = [self.culprit.writing, self.connections.lock]
        taken = [lock for lock in locks if lock.acquire(False)]
        try:
            request.refused = 'it is busy' if len(taken) < len(locks) else self.obstacle()
            if request.refused is None:
                self.fork(request)
        finally:
            for lock in taken:
                lock.release()

    def fork(self, request):
        """Returns in the program, and in every copy of it."""
        process = os.fork()
        if process == 0:
            try:
                return self.wait(request.number)
            except BaseException:
                # The program must not run twice.
                os._exit(1)
        self.forked.add(process)
        # All that was written before belongs to the checkpoint, and nothing that follows.
        self.culprit.send(request.line())

    def wait(self, number):
        """The checkpoint: forks a copy at each line of culprit, and ends with the connection."""
        self.connections.let_go()
        channel = self.culprit.connection()
        self.culprit.send({'type': 'async', 'name': 'checkpoint', 'checkpoint': number, 'pid': os.getpid()}, channel)
        # Nobody waits for the copies.
        signal_before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while channel.recv(65536) != b'':
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal_before)
                channel.close()
                return self.proceed(number)
        os._exit(0)

    def proceed(self, number):
        """A copy of the program."""
        self.forked = set()
        self.connections.open_again()
        self.culprit.join_again({'type': 'async', 'name': 'proceeded', 'checkpoint': number, 'pid': os.getpid()})

    def obstacle(self):
        """Why a copy would not be like the program, or would share something with it; None if it can be copied."""
        if len(sys._current_frames()) > 2:
            return 'it has threads of its own'
        if self.children():
            return 'it has started other processes'
        known = {self.culprit.socket.fileno()} | self.connections.descriptors()
        for fd, opened in descriptors().items():
            if fd not in known and opened not in DEVICES and (fd, opened) not in self.inherited:
                return 'it has %s open' % opened
        return self.connections.obstacle()

    def children(self):
        for process in list(self.forked):
            if os.waitpid(process, os.WNOHANG)[0] == process:
                self.forked.remove(process)
        found = set()
        for thread in os.listdir('/proc/self/task'):
            with open('/proc/self/task/%s/children' % thread) as children:
                found.update(map(int, children.read().split()))
        return found - self.forked


def descriptors():
    """What each descriptor of this process stands for."""
    found = {}
    for fd in os.listdir('/proc/self/fd'):
        try:
            found[int(fd)] = os.readlink('/proc/self/fd/' + fd)
        except OSError:
            # That of the list itself is closed by now.
            pass
    return found
