/** What the script is made of: plain data, which it has as JSON. */
interface MininetData {
  readonly title: string;
  readonly verdict: string;
  readonly switches: readonly unknown[];
  readonly links: readonly unknown[];
  readonly stations: readonly unknown[];
  readonly controllers: readonly string[];
  readonly steps: readonly unknown[];
  readonly path: readonly unknown[];
}

/** JSON is read by Python, so that no text of a trace becomes code. */
const literal = (data: unknown): string => JSON.stringify(JSON.stringify(data)).replaceAll(/[\u007f-\uffff]/g, escaped);

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Python, without anything of the trace. */
const HEAD = `#!/usr/bin/env python3
"""Does the inputs of a culprit trace to a network of Open vSwitch in Mininet, and shows what its flow tables then do.

Run as root, with the command that starts the controller (OpenFlow 1.0, at 127.0.0.1 port 6653):
  sudo python3 this.py --controller 'ovs-testcontroller ptcp:6653'
Without the kernel module of Open vSwitch: --datapath user
Without Mininet: python3 this.py --dry-run
"""
import argparse
import json
import shlex
import subprocess
import time

`;

const RUN = `TARGET = 'tcp:127.0.0.1:6653'
SETTLE = 3

SEND = (
    "import socket,sys;s=socket.socket(socket.AF_PACKET,socket.SOCK_RAW);"
    "s.bind((sys.argv[1],0));s.send(bytes.fromhex(sys.argv[2]))"
)


class Run:
    """The network, and the controller as a process beside it."""

    def __init__(self, command, datapath):
        from mininet.net import Mininet
        from mininet.node import OVSSwitch

        self.command = command
        self.controller = None
        self.net = Mininet(controller=None, build=False)
        for name, dpid in SWITCHES:
            self.net.addSwitch(name, cls=OVSSwitch, dpid='%016x' % dpid, protocols='OpenFlow10', failMode='secure',
                               datapath=datapath)
        for name, at, port, mac, *ip in STATIONS:
            self.net.addHost(name, mac=mac, ip=(ip[0] + '/8') if ip else None)
            self.net.addLink(name, at, port2=port)
        for one, one_port, other, other_port in LINKS:
            self.net.addLink(one, other, port1=one_port, port2=other_port)
        self.net.build()
        self.silence()
        self.start_controller()
        for switch in self.net.switches:
            switch.start([])
            self.connect(switch.name)
        time.sleep(SETTLE)

    def silence(self):
        """Stations answer ARP requests and nothing else, as those of culprit do, and no interface speaks by itself."""
        for host in self.net.hosts:
            host.cmd('sysctl -w net.ipv4.icmp_echo_ignore_all=1 net.ipv6.conf.all.disable_ipv6=1')
        for switch in self.net.switches:
            for interface in switch.intfNames():
                if interface != 'lo':
                    switch.cmd('sysctl -w net.ipv6.conf.%s.disable_ipv6=1' % interface)

    def start_controller(self, _name=None):
        self.controller = subprocess.Popen(shlex.split(self.command))
        time.sleep(1)

    def stop_controller(self, _name):
        self.controller.kill()
        self.controller.wait()

    def connect(self, switch):
        self.net.get(switch).cmd('ovs-vsctl set-controller %s %s' % (switch, TARGET))

    def disconnect(self, switch):
        self.net.get(switch).cmd('ovs-vsctl del-controller %s' % switch)

    def reconnect(self, switch):
        self.disconnect(switch)
        self.connect(switch)

    def power_off(self, switch):
        self.net.get(switch).stop(deleteIntfs=False)

    def power_on(self, switch):
        self.net.get(switch).start([])
        self.connect(switch)

    def link_down(self, one, _one_port, other, _other_port):
        self.net.configLinkStatus(one, other, 'down')

    def link_up(self, one, _one_port, other, _other_port):
        self.net.configLinkStatus(one, other, 'up')

    def send(self, station, packet):
        host = self.net.get(station)
        host.cmd('python3 -c %s %s %s' % (shlex.quote(SEND), host.defaultIntf(), packet))

    def move(self, station, switch, port):
        host = self.net.get(station)
        mac, ip = host.MAC(), host.IP()
        for interface in host.intfList():
            if interface.link:
                self.net.delLink(interface.link)
        link = self.net.addLink(host, self.net.get(switch), port2=port)
        self.net.get(switch).attach(link.intf2)
        host.setMAC(mac, link.intf1)
        host.setIP(ip, 8, link.intf1)

    def cannot(self, what):
        print('Mininet cannot do this: %s' % what)

    def show(self):
        print('culprit found: %s' % VERDICT)
        for name, _dpid in SWITCHES:
            print(self.net.get(name).cmd('ovs-ofctl dump-flows %s' % name))
        for name, port, packet in PATH:
            print(self.net.get(name).cmd('ovs-appctl ofproto/trace %s in_port=%s %s' % (name, port, packet)))

    def end(self):
        if self.controller is not None:
            self.controller.kill()
        self.net.stop()


def main():
    parser = argparse.ArgumentParser(description=TITLE)
    parser.add_argument('--controller', default='ovs-testcontroller ptcp:6653')
    parser.add_argument('--datapath', choices=['kernel', 'user'], default='kernel')
    parser.add_argument('--dry-run', action='store_true', help='print the steps')
    given = parser.parse_args()
    if given.dry_run:
        for _at, event, what, *args in STEPS:
            print(event, what, *args)
        return
    run = Run(given.controller, given.datapath)
    began, first = time.monotonic(), STEPS[0][0] if STEPS else 0
    try:
        for at, event, what, *args in STEPS:
            time.sleep(max(0, began + (at - first) / 1000 - time.monotonic()))
            print(event, what, *args)
            getattr(run, what)(*args)
        time.sleep(SETTLE)
        run.show()
    finally:
        run.end()


if __name__ == '__main__':
    main()
`;

/** The script: data of the trace between code that is always the same. */
export const mininetScript = (data: MininetData): string =>
  HEAD +
  Object.entries(data)
    .map(([name, value]) => `${name.toUpperCase()} = json.loads(${literal(value)})\n`)
    .join('') +
  RUN;
