import { BitNames } from '../bytes/bit-names.ts';
import type { Layouts } from './layout.ts';
import type { PhyPort } from './messages.ts';
import { actionTypes, capabilities, phyPortReasons, portConfigBits, portFeatures } from './names.ts';
import { portStates } from './port-states.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** The length of the description of a port, and of its name. */
const PHY_PORT = 48;
const NAME = 16;

const capabilityBits = new BitNames(capabilities);
const actionBits = new BitNames(actionTypes);
const configBits = new BitNames(portConfigBits);
const featureBits = new BitNames(portFeatures);

const readPhyPort = (reader: Reader): PhyPort => ({
  portNo: reader.port(),
  hwAddr: reader.mac(),
  name: reader.text(NAME),
  config: configBits.namesOf(reader.u32()),
  state: portStates.namesOf(reader.u32()),
  curr: featureBits.namesOf(reader.u32()),
  advertised: featureBits.namesOf(reader.u32()),
  supported: featureBits.namesOf(reader.u32()),
  peer: featureBits.namesOf(reader.u32()),
});

function writePhyPort(writer: Writer, port: PhyPort): void {
  writer.port('portNo', port.portNo);
  writer.mac('hwAddr', port.hwAddr);
  writer.text('name', port.name, NAME);
  writer.bits32('config', configBits, port.config);
  writer.bits32('state', portStates, port.state);
  writer.bits32('curr', featureBits, port.curr);
  writer.bits32('advertised', featureBits, port.advertised);
  writer.bits32('supported', featureBits, port.supported);
  writer.bits32('peer', featureBits, port.peer);
}

/** Messages about the ports of a switch. */
export const portMessages: Layouts<'features_reply' | 'port_status' | 'port_mod'> = {
  features_reply: {
    fixed: 32,
    isOpen: true,
    read: (reader, type, xid) => ({
      type,
      xid,
      datapathId: reader.u64(),
      nBuffers: reader.u32(),
      nTables: reader.u8Padded(3),
      capabilities: capabilityBits.namesOf(reader.u32()),
      actions: actionBits.namesOf(reader.u32()),
      ports: reader.list(PHY_PORT, 'ports', readPhyPort),
    }),
    write(writer, message) {
      writer.u64('datapathId', message.datapathId);
      writer.u32('nBuffers', message.nBuffers);
      writer.u8('nTables', message.nTables);
      writer.zeros(3);
      writer.bits32('capabilities', capabilityBits, message.capabilities);
      writer.bits32('actions', actionBits, message.actions);
      for (const port of message.ports) writePhyPort(writer, port);
    },
  },
  port_status: {
    fixed: 64,
    isOpen: false,
    read: (reader, type, xid) => ({
      type,
      xid,
      reason: reader.named(phyPortReasons, reader.u8Padded(7), 'the reason of port_status'),
      desc: readPhyPort(reader),
    }),
    write(writer, { reason, desc }) {
      writer.u8('reason', writer.named('reason', phyPortReasons, reason));
      writer.zeros(7);
      writePhyPort(writer, desc);
    },
  },
  port_mod: {
    fixed: 32,
    isOpen: false,
    read: (reader, type, xid) => ({
      type,
      xid,
      portNo: reader.port(),
      hwAddr: reader.mac(),
      config: configBits.namesOf(reader.u32()),
      mask: configBits.namesOf(reader.u32()),
      advertise: featureBits.namesOf(reader.u32()),
    }),
    write(writer, message) {
      writer.port('portNo', message.portNo);
      writer.mac('hwAddr', message.hwAddr);
      writer.bits32('config', configBits, message.config);
      writer.bits32('mask', configBits, message.mask);
      writer.bits32('advertise', featureBits, message.advertise);
      writer.zeros(4);
    },
  },
};
