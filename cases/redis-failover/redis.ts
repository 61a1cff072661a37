import { connect } from 'node:net';
import type { CommandOptions, FrameMessage, Probed } from 'culprit/live';
import { resp, tcp } from 'culprit/live';

const common = '--bind $address --port $port --dir $dir --save "" --appendonly no --logfile $dir/log';

/** Its copy for a replica goes by way of the disk: the other way, a primary sends nothing more until the replica has said that it has it. */
export const primaryLine = `redis-server ${common} --repl-diskless-sync no`;

/** Finds its primary at the address of a proxy. */
export const replicaLine = `redis-server ${common} --replicaof $address.primary $port.primary`;

/** Commands of clients are held by culprit; what the two servers say to each other passes, unless their link is cut. */
export const primaryOptions: CommandOptions<object> = { port: 6379, connect: tcp(resp(), { pass: ['replica'] }) };

export const replicaOptions: CommandOptions<object> = {
  port: 6379,
  connect: tcp(resp()),
  ready: { probe: (server) => says(server, 'INFO replication', 'master_link_status:up') },
};

/** Whether the answer to a command has this text in it. */
const says = ({ address, port }: Probed, command: string, text: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address ?? '', port: port ?? 0 });
    let answer = '';
    socket.on('connect', () => socket.end(`${command}\r\nQUIT\r\n`));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(answer.includes(text)));
  });

/** A command or a reply, as people write it. */
export function redisWords(message: unknown): string | undefined {
  if (Array.isArray(message)) return message.join(' ');
  const { type, content } = message as FrameMessage;
  if (type === 'status') return String(content);
  if (type === 'bulk') return `"${String(content)}"`;
  if (type === 'null') return 'nil';
  if (type === 'error' || type === 'integer') return `${type} ${String(content)}`;
  return undefined;
}
