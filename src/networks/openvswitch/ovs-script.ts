import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { MacAddress } from '../bytes/data.ts';

/** A bridge of Open vSwitch, as its database describes it. */
export interface OvsBridge {
  /** 16 hexadecimal digits. */
  readonly datapathId: string;
  readonly ports: readonly { readonly portNo: number; readonly hwAddr: MacAddress }[];
}

/** The only bridge of a switch: its database has no other. */
export const BRIDGE = 'br0';

/** The socket of its database, in the folder of the switch. */
export const DATABASE_SOCKET = 'db.sock';

/** The socket, in the folder of the switch, at which it takes OpenFlow from anybody. */
export const MANAGEMENT_SOCKET = `${BRIDGE}.mgmt`;

/** The socket, in the folder of the switch, through which frames enter and leave by a port. */
export const portSocket = (portNo: number): string => `p${portNo}.sock`;

/** Daemons are here, and the paths of users may leave it out. */
const DAEMONS = '/usr/sbin';

/** The first program of Open vSwitch that is not installed, if there is one. */
export const missingProgram = (): string | undefined => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), DAEMONS];
  return ['ovsdb-tool', 'ovsdb-server', 'ovs-vsctl', 'ovs-vswitchd'].find(
    (name) => !folders.some((folder) => existsSync(join(folder, name))),
  );
};

/** Debian's place for it. */
const SCHEMA = '/usr/share/openvswitch/vswitch.ovsschema';

/**
 * Starts Open vSwitch in its dummy mode: without root, the kernel or a network. The arguments describe the bridge. Its database is new
 * in each life, because the arguments say everything.
 */
const SCRIPT = `
set -e
PATH=$PATH:${DAEMONS}
rm -f conf.db ${DATABASE_SOCKET}
ovsdb-tool create conf.db ${SCHEMA}
ovsdb-server conf.db --remote=punix:${DATABASE_SOCKET} --unixctl="$PWD/db.ctl" --no-chdir -vconsole:err &
until ovs-vsctl --db=unix:${DATABASE_SOCKET} --no-wait init 2>/dev/null; do
  kill -0 $!
  sleep 0.01
done
ovs-vsctl --db=unix:${DATABASE_SOCKET} --no-wait "$@" >/dev/null
exec ovs-vswitchd --enable-dummy=override --disable-system --unixctl="$PWD/switch.ctl" --no-chdir \\
  -vconsole:err --log-file="$PWD/ovs-vswitchd.log" unix:${DATABASE_SOCKET}
`;

/** Its folder is the only place that it uses. */
export const ovsEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['OVS_RUNDIR', 'OVS_LOGDIR', 'OVS_DBDIR', 'OVS_SYSCONFDIR'].map((name) => [name, '$dir']),
);

/** The command that runs a switch. */
export const ovsCommand = (bridge: OvsBridge): readonly string[] => [
  '/bin/sh',
  '-c',
  SCRIPT,
  'open-vswitch',
  ...settingsOf(bridge).split(' '),
];

/** The arguments of ovs-vsctl. Controllers are added later. */
const settingsOf = ({ datapathId, ports }: OvsBridge): string =>
  [
    `-- add-br ${BRIDGE}`,
    `-- set bridge ${BRIDGE} datapath_type=dummy fail_mode=secure protocols=OpenFlow10`,
    `other_config:datapath-id=${datapathId}`,
    ...ports.map(({ portNo, hwAddr }) => portSettings(`p${portNo}`, portNo, hwAddr)),
  ].join(' ');

/** An internal port of a dummy bridge is a dummy, too, and one that has the address that it is given. */
const portSettings = (name: string, portNo: number, hwAddr: MacAddress): string =>
  `-- add-port ${BRIDGE} ${name} -- set interface ${name} type=internal ofport_request=${portNo} ` +
  `mac="${hwAddr}" options:stream="unix:$dir/${portSocket(portNo)}"`;
