"""As much of OpenFlow 1.0 as a controller needs that forwards packets."""

import struct
from typing import NamedTuple

HELLO, ECHO_REQUEST, ECHO_REPLY, FEATURES_REQUEST, FEATURES_REPLY = 0, 2, 3, 5, 6
SET_CONFIG, PACKET_IN, PORT_STATUS, PACKET_OUT, FLOW_MOD = 9, 10, 12, 13, 14
BARRIER_REQUEST, BARRIER_REPLY = 18, 19

FLOOD, CONTROLLER, NO_PORT = 0xFFFB, 0xFFFD, 0xFFFF
# Ports above it have a meaning of their own.
LAST_PORT = 0xFF00
NO_BUFFER = 0xFFFFFFFF
DELETE = 3

HEADER = struct.Struct('!BBHI')
MATCH = struct.Struct('!IH6s6sHBxHBB2xIIHH')
PHY_PORT = struct.Struct('!H6s16sIIIIII')

# The bits of fields that a match does not look at.
ANYTHING = (1 << 22) - 1
IN_PORT, DL_SRC, DL_DST, DL_TYPE = 1, 4, 8, 16
LINK_DOWN = 1


class Port(NamedTuple):
    number: int
    address: bytes
    is_up: bool


class PacketIn(NamedTuple):
    buffer: int
    in_port: int
    frame: bytes

    @property
    def destination(self):
        return self.frame[0:6]

    @property
    def source(self):
        return self.frame[6:12]


def message(kind, body=b'', xid=0):
    return HEADER.pack(1, kind, HEADER.size + len(body), xid) + body


def taken_from(received):
    """Removes the first message from a bytearray: its kind, its body and its number. None if it is not complete."""
    if len(received) < HEADER.size:
        return None
    _version, kind, length, xid = HEADER.unpack_from(received)
    if len(received) < length:
        return None
    body = bytes(received[HEADER.size : length])
    del received[:length]
    return kind, body, xid


def set_config(miss_send_len):
    return message(SET_CONFIG, struct.pack('!HH', 0, miss_send_len))


def output(port):
    return struct.pack('!HHHH', 0, 8, port, 0xFFFF)


def match(in_port=None, dl_src=None, dl_dst=None, dl_type=None):
    given = {IN_PORT: in_port, DL_SRC: dl_src, DL_DST: dl_dst, DL_TYPE: dl_type}
    wildcards = ANYTHING - sum(bit for bit, value in given.items() if value is not None)
    none = bytes(6)
    return MATCH.pack(wildcards, in_port or 0, dl_src or none, dl_dst or none, 0, 0, dl_type or 0, 0, 0, 0, 0, 0, 0)


def flow_mod(matched, actions=b'', command=0, priority=0x8000, idle=0, hard=0):
    fields = struct.pack('!QHHHHIHH', 0, command, idle, hard, priority, NO_BUFFER, NO_PORT, 0)
    return message(FLOW_MOD, matched + fields + actions)


def packet_out(packet, actions):
    """Does these actions with a packet that the switch asked about."""
    frame = packet.frame if packet.buffer == NO_BUFFER else b''
    return message(PACKET_OUT, struct.pack('!IHH', packet.buffer, packet.in_port, len(actions)) + actions + frame)


def emitted(frame, port):
    """Sends a frame of the controller's own out of a port."""
    return packet_out(PacketIn(NO_BUFFER, NO_PORT, frame), output(port))


def packet_in_of(body):
    buffer, _length, in_port, _reason = struct.unpack_from('!IHHBx', body)
    return PacketIn(buffer, in_port, body[10:])


def port_of(body, offset=0):
    number, address, _name, _config, state, *_features = PHY_PORT.unpack_from(body, offset)
    return Port(number, address, not state & LINK_DOWN)


def features_of(body):
    """The number of the switch, and its physical ports."""
    (number,) = struct.unpack_from('!Q', body)
    ports = [port_of(body, offset) for offset in range(24, len(body), PHY_PORT.size)]
    return number, [port for port in ports if port.number < LAST_PORT]


def port_status_of(body):
    return port_of(body, offset=8)
