import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Message } from 'culprit/networks';
import { OpenVSwitch } from '../twins/networks/ovs/open-vswitch.ts';

/** What python3-openflow makes of a message: an answer of `pyof_peer.py`. Instead of each, the text of an exception. */
interface PeerAnswer {
  /** The bytes that it writes, as hexadecimal text. */
  readonly written: string;
  /** The message that it reads. */
  readonly read: unknown;
}

const script = new URL('pyof_peer.py', import.meta.url).pathname;

/** Debian's Python, which sees Debian's packages; another one may be first on the path. */
const PYTHON = '/usr/bin/python3';

/** Asks python3-openflow to write these messages, and to read these bytes of them. */
export function askPyof(asked: readonly { readonly message: Message; readonly bytes: string }[]): PeerAnswer[] {
  programPath('pyof');
  const input = asked.map((one) => JSON.stringify(one, (_key, value: unknown) => marked(value))).join('\n');
  const answers = output(PYTHON, [script], input);
  return answers
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line, (_key, value: unknown) => unmarked(value)) as PeerAnswer);
}

const marked = (value: unknown): unknown => (typeof value === 'bigint' ? { $bigint: String(value) } : value);

const unmarked = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$bigint' in value ? BigInt(String(value.$bigint)) : value;

/** How Open vSwitch prints a message. */
export const printedByOvs = (bytes: Uint8Array): string =>
  output(programPath('ovsOfctl'), ['ofp-print', Buffer.from(bytes).toString('hex')], '').trimEnd();

/** The bytes of a frame that Open vSwitch makes for a flow, as hexadecimal text. */
export const composedByOvs = (flow: string): string =>
  output(programPath('ovsOfctl'), ['compose-packet', flow], '')
    .split('\n')
    .map((line) => line.slice('00000000'.length).replaceAll(/[\s-]/g, ''))
    .join('');

/** The named fields of each packet of a capture, as tshark reads it: checksums are checked, and names of addresses used. */
export function dissectedByTshark(capture: Uint8Array, fields: readonly string[]): Record<string, string>[] {
  const checks = ['ip.check_checksum:TRUE', 'tcp.check_checksum:TRUE'].flatMap((option) => ['-o', option]);
  const named = ['-T', 'fields', '-E', 'aggregator=|', ...fields.flatMap((field) => ['-e', field])];
  const folder = mkdtempSync(join(tmpdir(), 'culprit-capture-'));
  const file = join(folder, 'a.pcapng');
  writeFileSync(file, capture);
  const lines = output(programPath('tshark'), ['-r', file, '-N', 'n', ...checks, ...named], '').split('\n');
  rmSync(folder, { recursive: true });
  return lines.slice(0, -1).map((line) => {
    const values = line.split('\t');
    return Object.fromEntries(fields.map((field, at) => [field, values[at] ?? '']));
  });
}

/** An Open vSwitch for the tests of a file. */
export function ovsOfFile(): () => OpenVSwitch {
  let ovs: OpenVSwitch | undefined;
  beforeAll(async () => {
    programPath('ovsVswitchd');
    ovs = await OpenVSwitch.start();
  });
  afterAll(async () => {
    await ovs?.close();
  });
  return () => {
    if (ovs === undefined) throw new Error('Open vSwitch has not started');
    return ovs;
  };
}

export function programPath(name: 'pyof' | 'ovsOfctl' | 'testcontroller' | 'ovsVswitchd' | 'tshark'): string {
  const found = inject('programs')[name];
  if ('problem' in found) throw new Error(found.problem);
  return found.path;
}

function output(command: string, args: readonly string[], input: string): string {
  const { stdout, stderr, status } = spawnSync(command, args, { input, encoding: 'latin1', maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout;
}
