import type { Message } from 'culprit/networks';

/**
 * A similar message that python3-openflow can read and write. It has ASCII text that ends with a zero byte; in actions
 * of vendors no data; at most one queue, and no properties other than `none`; of some ports only those with a name, and
 * of the settings of a switch only known flags. Open vSwitch has an opinion about the rest.
 */
export function forPyof(message: Message): Message {
  const similar = simplified(message, '') as Message;
  switch (similar.type) {
    case 'hello':
      return { ...similar, version: 1 };
    case 'get_config_reply':
    case 'set_config':
      return { ...similar, flags: similar.flags.filter((flag) => flag.startsWith('frag_')) };
    case 'packet_out':
      return { ...similar, inPort: typeof similar.inPort === 'number' ? (similar.inPort % 0xff00) + 1 : 'controller' };
    case 'flow_mod':
      return { ...similar, outPort: typeof similar.outPort === 'number' ? 'none' : similar.outPort };
    case 'queue_get_config_request':
      return { ...similar, port: typeof similar.port === 'number' ? 'all' : similar.port };
    case 'queue_get_config_reply':
      return {
        ...similar,
        port: typeof similar.port === 'number' ? 'all' : similar.port,
        queues: similar.queues.slice(0, 1),
      };
    default:
      return similar;
  }
}

const textFields = new Set(['name', 'mfrDesc', 'hwDesc', 'swDesc', 'serialNum', 'dpDesc']);

function simplified(value: unknown, key: string): unknown {
  if (typeof value === 'string') return textFields.has(key) ? ascii(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (key === 'properties' && Array.isArray(value)) return value.map(() => ({ property: 'none' }));
  if (Array.isArray(value))
    return value.map((item: unknown) => (key === 'actions' ? withoutData(item) : simplified(item, '')));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, simplified(inner, name)]));
}

const ascii = (text: string): string => text.slice(0, -1).replace(/[^a-z0-9 ]/gi, '-');

const withoutData = (action: unknown): unknown =>
  typeof action === 'object' && action !== null && 'vendor' in action ? { ...action, data: '' } : action;
