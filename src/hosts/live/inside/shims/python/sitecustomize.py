"""The shim of Python programs: the interpreter imports it before the program, because PYTHONPATH has its folder.

It replaces the clock, the random numbers, the timers and the logging of the program by those of culprit, as far as CULPRIT_INSIDE
names them. Functions of the standard library that programs may replace later (eventlet does) are kept at hand here.
"""

import importlib.machinery
import importlib.util
import json
import os
import socket
import sys
import time
from _thread import allocate_lock, start_new_thread

FOLDER = os.path.dirname(os.path.abspath(__file__))
RealSocket = socket.socket


class Culprit:
    """Culprit, at the other end of a socket."""

    def __init__(self, path):
        self.path = path
        self.writing = allocate_lock()
        # By xid: the lock that the asking thread waits for, and the answer.
        self.asked = {}
        self.xid = 0
        # What to call when a timer fires, by the name of the timer.
        self.timers = {}
        # What to call with a line that is no answer, by its name.
        self.takers = {'timer': self.fire}
        # Whether culprit is out of reach: it is gone, or this process is a fork, in which nobody listens.
        self.is_over = False
        # Whether this process is a copy that proceeds from a checkpoint: it ends with its connection.
        self.is_copy = False
        self.socket = self.connection()
        start_new_thread(self.listen, ())
        os.register_at_fork(after_in_child=self.leave)

    def connection(self):
        end = RealSocket(socket.AF_UNIX)
        end.connect(self.path)
        return end

    def join_again(self, line):
        """In a fork that is a copy of the program: `line` says so."""
        self.socket = self.connection()
        self.is_over, self.is_copy = False, True
        self.send(line)
        start_new_thread(self.listen, ())

    def leave(self):
        self.is_over = True
        self.writing = allocate_lock()
        self.socket.close()

    def tell(self, line):
        """Writes a line that has no answer."""
        self.write({'type': 'async', **line})

    def ask(self, line):
        """Writes a line, and waits for the answer."""
        answered = allocate_lock()
        answered.acquire()
        with self.writing:
            self.xid += 1
            xid = self.xid
        waiting = self.asked[xid] = [answered, None]
        if self.is_over or not self.write({'type': 'request', 'xid': xid, **line}):
            return None
        answered.acquire()
        return waiting[1]

    def write(self, line):
        try:
            with self.writing:
                self.send(line)
            return True
        except OSError:
            return False

    def send(self, line, end=None):
        (end or self.socket).sendall((json.dumps(line) + '\n').encode())

    def listen(self):
        """Takes the lines of culprit, in a thread of its own."""
        unread = b''
        while True:
            try:
                chunk = self.socket.recv(65536)
            except OSError:
                chunk = b''
            if chunk == b'':
                break
            *lines, unread = (unread + chunk).split(b'\n')
            for line in lines:
                self.take(json.loads(line))
        if self.is_copy:
            os._exit(0)
        # Culprit is gone, and ends the program soon: until then, nothing may wait for an answer.
        self.is_over = True
        for xid in list(self.asked):
            self.take({'xid': xid})

    def take(self, content):
        if 'name' in content:
            return self.takers[content['name']](content)
        waiting = self.asked.pop(content['xid'], None)
        if waiting is not None:
            waiting[1] = content.get('value')
            waiting[0].release()

    def fire(self, content):
        fire = self.timers.get(content['timer'])
        if fire is not None:
            fire()


def replace_time(culprit):
    def now():
        ms = culprit.ask({'name': 'time'})
        return real_time() if ms is None else ms / 1000

    real_time = time.time
    time.time = now
    time.time_ns = lambda: int(now() * 1_000_000_000)


def replace_random(culprit):
    import random

    random.seed(culprit.ask({'name': 'random'}))


def call_site():
    """The line of the program that calls: `controller.py:12`."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return '%s:%d' % (os.path.basename(frame.f_code.co_filename), frame.f_lineno)


def replace_sleep(culprit):
    real_sleep = time.sleep

    def sleep(seconds):
        if not seconds > 0 or culprit.is_over:
            return real_sleep(seconds)
        name = 'sleep at ' + call_site()
        culprit.ask({'type': 'sync', 'name': 'timer', 'timer': name, 'ms': seconds * 1000})

    time.sleep = sleep


def replace_timers(culprit):
    import threading

    Thread, Timer = threading.Thread, threading.Timer

    def unused_name(like):
        """Names are the same in all executions: the lowest number that no timer of that name has."""
        name, nth = like, 1
        while name in culprit.timers:
            nth += 1
            name = '%s (%d)' % (like, nth)
        return name

    def start(self):
        if culprit.is_over:
            return Thread.start(self)
        self.culprit_name = unused_name(getattr(self.function, '__name__', type(self.function).__name__))
        culprit.timers[self.culprit_name] = lambda: fire(self)
        culprit.tell({'name': 'timer', 'timer': self.culprit_name, 'ms': self.interval * 1000})

    def fire(self):
        culprit.timers.pop(self.culprit_name, None)
        # It has waited for its time already.
        self.interval = 0
        Thread.start(self)

    def cancel(self):
        self.finished.set()
        name = getattr(self, 'culprit_name', None)
        if culprit.timers.pop(name, None) is not None:
            culprit.tell({'name': 'timer', 'timer': name, 'ms': None})

    def until_timers_are_over():
        """The interpreter waits for timers before it ends."""
        while culprit.timers and not culprit.is_over:
            real_sleep(0.01)

    real_sleep = time.sleep
    Timer.start, Timer.cancel = start, cancel
    threading._register_atexit(until_timers_are_over)


def replace_logging(culprit, is_barrier):
    import logging

    real_handle = logging.Logger.handle

    def handle(self, record):
        line = {'name': 'state', 'value': str(record.msg), 'args': plain(record.args)}
        if is_barrier:
            culprit.ask({'type': 'sync', **line})
        else:
            culprit.tell(line)
        return real_handle(self, record)

    logging.Logger.handle = handle


def plain(args):
    """The arguments of a log statement as JSON can carry them."""
    if not isinstance(args, tuple):
        args = () if args is None else (args,)
    return [arg if arg is None or isinstance(arg, (bool, int, float, str)) else str(arg) for arg in args]


def install():
    path = os.environ.get('CULPRIT_SYNC')
    if path is None:
        return
    try:
        culprit = Culprit(path)
    except OSError as error:
        message = 'The shim of culprit cannot reach its socket: %s. Leave CULPRIT_SYNC as culprit sets it.\n'
        sys.stderr.write(message % error)
        sys.stderr.flush()
        os._exit(2)
    wanted = os.environ.get('CULPRIT_INSIDE', '').split(',')
    if 'random' in wanted:
        replace_random(culprit)
    if 'timers' in wanted:
        replace_timers(culprit)
        replace_sleep(culprit)
    if 'notes' in wanted or 'barriers' in wanted:
        replace_logging(culprit, 'barriers' in wanted)
    if 'time' in wanted:
        replace_time(culprit)
    if 'sockets' in wanted:
        from culprit_sockets import replace_sockets

        connections = replace_sockets(culprit)
        if 'checkpoints' in wanted:
            from culprit_checkpoints import Checkpoints

            Checkpoints(culprit, connections)


def import_other():
    """The machine, or the environment of the program, may have a sitecustomize of its own."""
    path = [folder for folder in sys.path if os.path.abspath(folder) != FOLDER]
    spec = importlib.machinery.PathFinder.find_spec('sitecustomize', path)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


install()
import_other()
