import { BitNames } from '../bytes/bit-names.ts';
import { readError, writeError } from './errors.ts';
import { HEADER, type Layout, type Layouts } from './layout.ts';
import type { Bare, Echo, SwitchConfig } from './messages.ts';
import { switchConfigFlags } from './names.ts';

/** A message that is a header only. */
const bare: Layout<Bare> = {
  fixed: HEADER,
  isOpen: false,
  read: (_reader, type, xid) => ({ type, xid }),
  write() {},
};

const echo: Layout<Echo> = {
  fixed: HEADER,
  isOpen: true,
  read: (reader, type, xid) => ({ type, xid, data: reader.hex() }),
  write: (writer, { data }) => writer.hex('data', data),
};

const configFlags = new BitNames(switchConfigFlags);

const config: Layout<SwitchConfig> = {
  fixed: 12,
  isOpen: false,
  read: (reader, type, xid) => ({
    type,
    xid,
    flags: configFlags.namesOf(reader.u16()),
    missSendLen: reader.u16(),
  }),
  write(writer, { flags, missSendLen }) {
    writer.bits16('flags', configFlags, flags);
    writer.u16('missSendLen', missSendLen);
  },
};

/** Messages about the channel itself and the settings of a switch. */
export const sessionMessages: Layouts<
  'hello' | 'error' | 'vendor' | Echo['type'] | SwitchConfig['type'] | Bare['type']
> = {
  hello: {
    fixed: HEADER,
    isOpen: true,
    read: (reader, type, xid) => ({ type, xid, version: reader.bytes[0] as number, elements: reader.hex() }),
    write(writer, { version, elements }) {
      if ((version & 0xff) !== version) throw writer.isNot('version', version, 'a whole number from 0 to 255');
      writer.patch8(0, version);
      writer.hex('elements', elements);
    },
  },
  error: { fixed: 12, isOpen: true, read: readError, write: writeError },
  echo_request: echo,
  echo_reply: echo,
  vendor: {
    fixed: 12,
    isOpen: true,
    read: (reader, type, xid) => ({ type, xid, vendor: reader.u32(), data: reader.hex() }),
    write(writer, { vendor, data }) {
      writer.u32('vendor', vendor);
      writer.hex('data', data);
    },
  },
  features_request: bare,
  get_config_request: bare,
  barrier_request: bare,
  barrier_reply: bare,
  get_config_reply: config,
  set_config: config,
};
