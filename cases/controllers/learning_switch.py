"""A learning switch for os-ken. Its entries never expire. With FORGETS=1 it forgets stations whose port goes down, everywhere."""
import os

from os_ken.base import app_manager
from os_ken.controller import ofp_event
from os_ken.controller.handler import MAIN_DISPATCHER, set_ev_cls
from os_ken.lib.packet import ethernet, packet
from os_ken.ofproto import ofproto_v1_0

FORGETS = os.environ.get('FORGETS') == '1'


class LearningSwitch(app_manager.OSKenApp):
    OFP_VERSIONS = [ofproto_v1_0.OFP_VERSION]
    ports = {}
    switches = {}

    @set_ev_cls(ofp_event.EventOFPPacketIn, MAIN_DISPATCHER)
    def packet_in(self, event):
        msg, to = event.msg, event.msg.datapath
        eth = packet.Packet(msg.data).get_protocol(ethernet.ethernet)
        self.switches[to.id] = to
        self.ports[to.id, eth.src] = msg.in_port
        self.logger.info('switch %d: %s is at port %d', to.id, eth.src, msg.in_port)
        port = self.ports.get((to.id, eth.dst), to.ofproto.OFPP_FLOOD)
        if FORGETS and port == msg.in_port:
            # The station has been on the other side. An output to the port of arrival would be dropped.
            port = to.ofproto.OFPP_FLOOD
        actions = [to.ofproto_parser.OFPActionOutput(port)]
        if port != to.ofproto.OFPP_FLOOD:
            match = to.ofproto_parser.OFPMatch(in_port=msg.in_port, dl_src=eth.src, dl_dst=eth.dst)
            to.send_msg(to.ofproto_parser.OFPFlowMod(to, match, actions=actions))
        to.send_msg(to.ofproto_parser.OFPPacketOut(to, msg.buffer_id, msg.in_port, actions))

    @set_ev_cls(ofp_event.EventOFPPortStatus, MAIN_DISPATCHER)
    def port_status(self, event):
        to, port = event.msg.datapath, event.msg.desc
        if not FORGETS or not port.state & to.ofproto.OFPPS_LINK_DOWN:
            return
        gone = {mac for (switch, mac), at in self.ports.items() if (switch, at) == (to.id, port.port_no)}
        self.ports = {key: at for key, at in self.ports.items() if key[1] not in gone}
        for switch in self.switches.values():
            for mac in gone:
                match, delete = switch.ofproto_parser.OFPMatch(dl_dst=mac), switch.ofproto.OFPFC_DELETE
                switch.send_msg(switch.ofproto_parser.OFPFlowMod(switch, match, command=delete))
