"""Reads and writes OpenFlow 1.0 with python3-openflow, to compare with the codec of culprit.

Takes lines of JSON from standard input, each with a `message` and its `bytes` as hexadecimal text. Answers each with a
line: `written`, the bytes of that message as this library writes them, and `read`, the message in these bytes.
"""

import json
import re
import sys
from enum import EnumMeta

from pyof.foundation.basic_types import BinaryData
from pyof.v0x01.asynchronous.error_msg import ErrorMsg, ErrorType
from pyof.v0x01.asynchronous.flow_removed import FlowRemoved, FlowRemovedReason
from pyof.v0x01.asynchronous.packet_in import PacketIn, PacketInReason
from pyof.v0x01.asynchronous.port_status import PortReason, PortStatus
from pyof.v0x01.common import action as a
from pyof.v0x01.common.action import ActionType
from pyof.v0x01.common.flow_match import FlowWildCards, Match
from pyof.v0x01.common.header import Type
from pyof.v0x01.common.phy_port import PhyPort, Port, PortConfig, PortFeatures, PortState
from pyof.v0x01.common.queue import PacketQueue, QueueProperties, QueuePropHeader
from pyof.v0x01.common.utils import MESSAGE_TYPES, unpack_message
from pyof.v0x01.controller2switch import common as c
from pyof.v0x01.controller2switch.features_reply import Capabilities
from pyof.v0x01.controller2switch.flow_mod import FlowModCommand, FlowModFlags


def number(value):
    """The number of a value, which the library wraps in classes of its own."""
    return int(getattr(value, 'value', value))


class Plain:
    """A number as it is."""

    @staticmethod
    def write(value):
        return int(value['$bigint']) if isinstance(value, dict) else value

    @staticmethod
    def read(value):
        value = number(value)
        return value if value < 2**53 else {'$bigint': str(value)}


def numbers_of(names, prefix):
    """The numbers of a class of names, by the names without prefix."""
    members = names.__members__ if isinstance(names, EnumMeta) else names._enum
    return {name[len(prefix):].lower(): int(value) for name, value in members.items()}


class Named:
    """A number with a name, such as OFPFC_ADD. Numbers without a name stay as they are."""

    def __init__(self, names, prefix):
        self.numbers = numbers_of(names, prefix)
        self.names = {value: name for name, value in self.numbers.items()}

    def write(self, value):
        return value if isinstance(value, int) else self.numbers[value]

    def read(self, value):
        return self.names.get(number(value), number(value))


class Bits:
    """A list of bits: their names from the lowest, and other bits by their place."""

    def __init__(self, bits):
        self.bits = bits

    def write(self, names):
        return sum(self.bits[name] if name in self.bits else 1 << int(name[3:]) for name in names)

    def read(self, value):
        places = {bit: name for name, bit in self.bits.items()}
        bits = [1 << place for place in range(32) if number(value) >> place & 1]
        return [places.get(bit, f'bit{bit.bit_length() - 1}') for bit in bits]


class State(Bits):
    """The state of a port, in which two bits are one number."""

    def read(self, value):
        stp = number(value) & 0x300
        names = super().read(number(value) & ~0x300)
        spanning = [name for name, bits in self.bits.items() if bits == stp and stp > 0]
        return names[:1] + spanning + names[1:]


class Text:
    @staticmethod
    def write(value):
        return value

    @staticmethod
    def read(value):
        return getattr(value, 'value', value)


class Octets:
    @staticmethod
    def write(value):
        return bytes.fromhex(value)

    @staticmethod
    def read(value):
        value = getattr(value, 'value', value)
        return bytes(value or b'').hex()


class Address:
    """An IPv4 address that the library has as a number."""

    @staticmethod
    def write(value):
        return int.from_bytes(bytes(int(part) for part in value.split('.')), 'big')

    @staticmethod
    def read(value):
        return '.'.join(str(part) for part in number(value).to_bytes(4, 'big'))


class Datapath:
    @staticmethod
    def write(value):
        return ':'.join(f'{byte:02x}' for byte in Plain.write(value).to_bytes(8, 'big'))

    @staticmethod
    def read(value):
        return Plain.read(int(str(getattr(value, 'value', value)).replace(':', ''), 16))


class Struct:
    """A structure with these fields, in which `max_len` of the library is `maxLen` of culprit."""

    def __init__(self, make, fields):
        self.make, self.fields = make, fields

    def write(self, value):
        struct = self.make()
        for name, codec in self.fields.items():
            setattr(struct, name, codec.write(value[camel(name)]))
        return struct

    def read(self, struct):
        return {camel(name): codec.read(getattr(struct, name)) for name, codec in self.fields.items()}


class Many:
    def __init__(self, codec):
        self.codec = codec

    def write(self, values):
        return [self.codec.write(value) for value in values]

    def read(self, values):
        return [self.codec.read(value) for value in values]


#: Names of the library that differ from the standard.
SPELLED = {
    'error_type': 'error',
    'max_length': 'max_len',
    'vlan_id': 'vlan_vid',
    'count_lookup': 'lookup_count',
    'count_matched': 'matched_count',
    'queue_property': 'property',
}


def camel(name):
    return re.sub(r'_(.)', lambda found: found[1].upper(), SPELLED.get(name, name))


class Flow:
    """A match. The library has a value in every field, and bits for those that count."""

    plain = ['in_port', 'dl_src', 'dl_dst', 'dl_vlan', 'dl_vlan_pcp', 'dl_type', 'nw_tos', 'nw_proto', 'tp_src', 'tp_dst']

    def write(self, value):
        match = Match()
        wild = 0
        for field in self.plain:
            given = value.get(camel(field))
            if given is None:
                wild |= FlowWildCards._enum[f'OFPFW_{field.upper()}']
            else:
                setattr(match, field, self.codec(field).write(given))
        for field in ['nw_src', 'nw_dst']:
            address, _, length = value.get(camel(field), '0.0.0.0/0').partition('/')
            setattr(match, field, address)
            wild |= (32 - int(length or 32)) << FlowWildCards._enum[f'OFPFW_{field.upper()}_SHIFT']
        match.wildcards = wild
        return match

    def read(self, match):
        wild = number(match.wildcards)
        found = {}
        for field in self.plain:
            if not wild & FlowWildCards._enum[f'OFPFW_{field.upper()}']:
                found[camel(field)] = self.codec(field).read(getattr(match, field))
        for field in ['nw_src', 'nw_dst']:
            ignored = wild >> FlowWildCards._enum[f'OFPFW_{field.upper()}_SHIFT'] & 0x3f
            if ignored < 32:
                address = str(getattr(match, field))
                found[camel(field)] = address if ignored == 0 else f'{address}/{32 - ignored}'
        return found

    @staticmethod
    def codec(field):
        if field == 'in_port':
            return port
        if field == 'dl_vlan':
            return vlan
        return Text if field in ('dl_src', 'dl_dst') else Plain


class Action:
    """An action: its class and fields by its type."""

    def __init__(self):
        octets = {'dl_addr': Text}
        self.known = {
            'output': (a.ActionOutput, {'port': port, 'max_length': Plain}),
            'set_vlan_vid': (a.ActionVlanVid, {'vlan_id': Plain}),
            'set_vlan_pcp': (a.ActionVlanPCP, {'vlan_pcp': Plain}),
            'strip_vlan': (a.ActionStripVlan, {}),
            'set_dl_src': (a.ActionDLAddr, octets),
            'set_dl_dst': (a.ActionDLAddr, octets),
            'set_nw_src': (a.ActionNWAddr, {'nw_addr': Address}),
            'set_nw_dst': (a.ActionNWAddr, {'nw_addr': Address}),
            'set_nw_tos': (a.ActionNWTos, {'nw_tos': Plain}),
            'set_tp_src': (a.ActionTPPort, {'tp_port': Plain}),
            'set_tp_dst': (a.ActionTPPort, {'tp_port': Plain}),
            'enqueue': (a.ActionEnqueue, {'port': port, 'queue_id': Plain}),
            'vendor': (a.ActionVendorHeader, {'vendor': Plain}),
        }

    def write(self, value):
        make, fields = self.known[value['type']]
        action = Struct(make, fields).write(value)
        action.action_type = action_type.write(value['type'])
        if value['type'] == 'vendor':
            action.length = 8
        return action

    def read(self, action):
        kind = action_type.read(action.action_type)
        make, fields = self.known[kind]
        data = {'data': ''} if kind == 'vendor' else {}
        return {'type': kind, **Struct(make, fields).read(action), **data}


class Error:
    """An error, whose codes depend on its type."""

    prefixes = {
        'hello_failed': 'OFPHFC_',
        'bad_request': 'OFPBRC_',
        'bad_action': 'OFPBAC_',
        'flow_mod_failed': 'OFPFMFC_',
        'port_mod_failed': 'OFPPMFC_',
        'queue_op_failed': 'OFPQOFC_',
    }

    def codes(self, error):
        return Named(ErrorType[f'OFPET_{error.upper()}'].get_class(), self.prefixes[error])

    def write(self, value):
        code = self.codes(value['error']).write(value['code'])
        return ErrorMsg(error_type=error_type.write(value['error']), code=code, data=Octets.write(value['data']))

    def read(self, message):
        error = error_type.read(message.error_type)
        return {'error': error, 'code': self.codes(error).read(message.code), 'data': Octets.read(message.data)}


class Stats:
    """A message about statistics: its body by its kind."""

    def __init__(self, make, bodies):
        self.make, self.bodies = make, bodies

    def write(self, value):
        body = self.bodies[value['stats']]
        structs = [] if body is None else body.structs(value)
        packed = b''.join(struct.pack() for struct in structs)
        return self.make(body_type=stats_type.write(value['stats']), flags=stats_flags.write(value['flags']), body=BinaryData(packed))

    def read(self, message):
        stats = stats_type.read(message.body_type)
        body = self.bodies[stats]
        rest = {} if body is None else body.fields(message.body)
        return {'stats': stats, 'flags': stats_flags.read(message.flags), **rest}


class One:
    """A body that is one structure, with its fields in the message or under a name."""

    def __init__(self, codec, name=None):
        self.codec, self.name = codec, name

    def structs(self, value):
        return [self.codec.write(value[self.name] if self.name else value)]

    def fields(self, body):
        read = self.codec.read(body[0] if isinstance(body, list) else body)
        return {self.name: read} if self.name else read


class Several:
    """A body that is a list of structures."""

    def __init__(self, codec, name):
        self.codec, self.name = codec, name

    def structs(self, value):
        return [self.codec.write(one) for one in value[self.name]]

    def fields(self, body):
        return {self.name: [self.codec.read(one) for one in body]}


class FlowStats(Struct):
    """Statistics of a flow, which have a length of their own."""

    def write(self, value):
        struct = super().write(value)
        struct.length = 0
        struct.length = struct.get_size()
        return struct


class Queue(Struct):
    """A queue, which has a length of its own."""

    def write(self, value):
        struct = super().write(value)
        struct.length = 8 + 8 * len(value['properties'])
        return struct


class Or:
    """A number, of which one has a name."""

    def __init__(self, name, value):
        self.name, self.value = name, value

    def write(self, value):
        return self.value if value == self.name else value

    def read(self, value):
        return self.name if number(value) == self.value else number(value)


class Ports(Named):
    """The highest port is a number."""

    def __init__(self):
        super().__init__(Port, 'OFPP_')
        del self.names[Port.OFPP_MAX.value]


port = Ports()
buffer_id = Or('none', 0xffffffff)
queue_id = Or('all', 0xffffffff)
vlan = Or('none', 0xffff)
action_type = Named(ActionType, 'OFPAT_')
error_type = Named(ErrorType, 'OFPET_')
stats_type = Named(c.StatsType, 'OFPST_')
config_bits = Bits(numbers_of(PortConfig, 'OFPPC_'))
# The standard calls it OFPPC_NO_FLOOD.
config_bits.bits['no_flood'] = config_bits.bits.pop('flood')
feature_bits = Bits(numbers_of(PortFeatures, 'OFPPF_'))
state_bits = State(numbers_of(PortState, 'OFPPS_'))
stats_flags = Bits({'more': 1})
# Without the one that is neither bit, and the one that is both.
config_flags = Bits({name: bits for name, bits in numbers_of(c.ConfigFlag, 'OFPC_').items() if bits in (1, 2)})
supported_actions = {name: 1 << bit for name, bit in numbers_of(ActionType, 'OFPAT_').items() if name != 'vendor'}

match = Flow()
action = Action()
actions = Many(action)
phy_port = Struct(PhyPort, {
    'port_no': port, 'hw_addr': Text, 'name': Text, 'config': config_bits, 'state': state_bits,
    'curr': feature_bits, 'advertised': feature_bits, 'supported': feature_bits, 'peer': feature_bits,
})
switch_config = {'flags': config_flags, 'miss_send_len': Plain}
data = {'data': Octets}
vendor = {'vendor': Plain, 'data': Octets}
flow_request = {'match': match, 'table_id': Plain, 'out_port': port}


class VendorBody:
    @staticmethod
    def write(value):
        return c.VendorStats(vendor=value['vendor'], body=Octets.write(value['data']))

    @staticmethod
    def read(body):
        return {'vendor': Plain.read(body.vendor), 'data': Octets.read(body.body)}


requests = {
    'desc': None,
    'table': None,
    'flow': One(Struct(c.FlowStatsRequest, flow_request)),
    'aggregate': One(Struct(c.AggregateStatsRequest, flow_request)),
    'port': One(Struct(c.PortStatsRequest, {'port_no': port})),
    'queue': One(Struct(c.QueueStatsRequest, {'port_no': port, 'queue_id': queue_id})),
    'vendor': One(VendorBody),
}
replies = {
    'desc': One(Struct(c.DescStats, dict.fromkeys(['mfr_desc', 'hw_desc', 'sw_desc', 'serial_num', 'dp_desc'], Text)), 'desc'),
    'flow': Several(FlowStats(c.FlowStats, {
        'table_id': Plain, 'match': match, 'duration_sec': Plain, 'duration_nsec': Plain, 'priority': Plain,
        'idle_timeout': Plain, 'hard_timeout': Plain, 'cookie': Plain, 'packet_count': Plain, 'byte_count': Plain,
        'actions': actions,
    }), 'flows'),
    'aggregate': One(Struct(c.AggregateStatsReply, dict.fromkeys(['packet_count', 'byte_count', 'flow_count'], Plain))),
    'table': Several(Struct(c.TableStats, {
        'table_id': Plain, 'name': Text, 'wildcards': Plain, 'max_entries': Plain, 'active_count': Plain,
        'count_lookup': Plain, 'count_matched': Plain,
    }), 'tables'),
    'port': Several(Struct(c.PortStats, {'port_no': port, **dict.fromkeys([
        'rx_packets', 'tx_packets', 'rx_bytes', 'tx_bytes', 'rx_dropped', 'tx_dropped', 'rx_errors', 'tx_errors',
        'rx_frame_err', 'rx_over_err', 'rx_crc_err', 'collisions'], Plain)}), 'ports'),
    'queue': Several(Struct(c.QueueStats, {
        'port_no': port, 'queue_id': queue_id, 'tx_bytes': Plain, 'tx_packets': Plain, 'tx_errors': Plain,
    }), 'queues'),
    'vendor': One(VendorBody),
}


def of(name):
    return MESSAGE_TYPES[str(Type[f'OFPT_{name.upper()}'])]


fields = {
    'hello': {'elements': Octets},
    'echo_request': data,
    'echo_reply': data,
    'vendor': vendor,
    'features_request': {},
    'features_reply': {
        'datapath_id': Datapath, 'n_buffers': Plain, 'n_tables': Plain, 'capabilities': Bits(numbers_of(Capabilities, 'OFPC_')),
        'actions': Bits(supported_actions), 'ports': Many(phy_port),
    },
    'get_config_request': {},
    'get_config_reply': switch_config,
    'set_config': switch_config,
    'packet_in': {
        'buffer_id': buffer_id, 'total_len': Plain, 'in_port': port, 'reason': Named(PacketInReason, 'OFPR_'),
        'data': Octets,
    },
    'flow_removed': {
        'match': match, 'cookie': Plain, 'priority': Plain, 'reason': Named(FlowRemovedReason, 'OFPRR_'),
        'duration_sec': Plain, 'duration_nsec': Plain, 'idle_timeout': Plain, 'packet_count': Plain,
        'byte_count': Plain,
    },
    'port_status': {'reason': Named(PortReason, 'OFPPR_'), 'desc': phy_port},
    'packet_out': {'buffer_id': buffer_id, 'in_port': port, 'actions': actions, 'data': Octets},
    'flow_mod': {
        'match': match, 'cookie': Plain, 'command': Named(FlowModCommand, 'OFPFC_'), 'idle_timeout': Plain,
        'hard_timeout': Plain, 'priority': Plain, 'buffer_id': buffer_id, 'out_port': port,
        'flags': Bits(numbers_of(FlowModFlags, 'OFPFF_')), 'actions': actions,
    },
    'port_mod': {
        'port_no': port, 'hw_addr': Text, 'config': config_bits, 'mask': config_bits, 'advertise': feature_bits,
    },
    'barrier_request': {},
    'barrier_reply': {},
    'queue_get_config_request': {'port': port},
    'queue_get_config_reply': {'port': port, 'queues': Many(Queue(PacketQueue, {
        'queue_id': Plain,
        'properties': Many(Struct(lambda: QueuePropHeader(length=8), {
            'queue_property': Named(QueueProperties, 'OFPQT_')})),
    }))},
}
codecs = {name: Struct(of(name), listed) for name, listed in fields.items()}
codecs['error'] = Error()
codecs['stats_request'] = Stats(of('stats_request'), requests)
codecs['stats_reply'] = Stats(of('stats_reply'), replies)


def written(message):
    made = codecs[message['type']].write(message)
    made.header.xid = message['xid']
    made.header.version = message.get('version', 1)
    return made.pack().hex()


def read(packed):
    message = unpack_message(packed)
    name = message.header.message_type.name[len('OFPT_'):].lower()
    version = {'version': number(message.header.version)} if name == 'hello' else {}
    return {'type': name, 'xid': number(message.header.xid), **version, **codecs[name].read(message)}


def attempt(work):
    try:
        return work()
    except Exception as error:  # What the library raises is an answer too, which the test compares.
        return f'{type(error).__name__}: {error}'


for line in sys.stdin:
    given = json.loads(line)
    packed = bytes.fromhex(given['bytes'])
    answer = {'written': attempt(lambda: written(given['message'])), 'read': attempt(lambda: read(packed))}
    print(json.dumps(answer))
