import fc from 'fast-check';
import { flowMod, mesh, output } from 'culprit/networks';
import { readTrace, writeTrace, type Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { handshake, injected, link, received, stsEvent, textOf } from '../../test/twins/networks/sts-trace.ts';
import { pingFrame } from '../networks/network/traffic-frames.ts';
import type { Station } from '../networks/topology/topology.ts';
import { CulpritError } from '../error.ts';
import { importSts, type Imported } from './import-sts.ts';

const [h1, h2] = mesh(2).stations as [Station, Station];
const ping = pingFrame(h1, h2);
const connect = [stsEvent('ConnectToControllers', 0), ...handshake(10, 1), ...handshake(20, 2)];
const violation = stsEvent('InvariantViolation', 900, { violations: ['c1'], persistent: true });

const imported = (events: readonly object[], options = {}) =>
  importSts(textOf(events as Parameters<typeof textOf>[0]), 'small', options);

/** What the environment did, in short. */
const inputsIn = ({ events }: Trace): string[] =>
  events.flatMap((line) => {
    if (line.kind === 'cut' || line.kind === 'heal')
      return [`${line.kind} ${line.links.map((one) => one.join(' ')).join(', ')}`];
    if (line.kind === 'act') return [`${line.action} ${JSON.stringify(line.payload)}`];
    if (line.kind === 'send') return [`send ${line.to} ${(line.message as { type: string }).type}`];
    return line.kind === 'crash' || line.kind === 'restart' || line.kind === 'lose'
      ? [`${line.kind} ${line.process}`]
      : [];
  });

describe('an import', () => {
  test('has the inputs of STS in our words, each at its time', async () => {
    const block = { dpid: 2, controller_id: 'c1' };
    const { trace, inputs, topology } = await imported([
      ...connect,
      link('LinkFailure', 100, [2, 1, 1, 1]),
      stsEvent('ControlChannelBlock', 200, block),
      stsEvent('ControlChannelUnblock', 300, block),
      link('LinkRecovery', 400, [2, 1, 1, 1]),
      stsEvent('SwitchFailure', 500, { dpid: 1 }),
      stsEvent('SwitchRecovery', 600, { dpid: 1 }),
      stsEvent('ControllerFailure', 700, { controller_id: 'c1' }),
      stsEvent('ControllerRecovery', 800, { controller_id: 'c1' }),
      violation,
      stsEvent('WaitTime', 900, { wait_time: 1 }),
    ]);
    expect(inputsIn(trace)).toEqual([
      'cut s1 s2 1-1, s2 s1 1-1',
      'cut c1 s2, s2 c1',
      'heal c1 s2, s2 c1',
      'heal s1 s2 1-1, s2 s1 1-1',
      'send s1 control_failure',
      'send s1 control_recovery',
      'crash c1',
      'restart c1',
    ]);
    expect({ inputs, topology }).toEqual({ inputs: { ours: 8, published: 10 }, topology: 'mesh(2)' });
    const times = trace.events.filter(({ kind }) => kind === 'cut' || kind === 'crash').map(({ atMs }) => atMs);
    expect(times).toEqual([100, 200, 700]);
    expect(trace.verdict).toMatchObject({
      verdict: 'violated',
      message: 'STS reports c1',
      processes: ['c1'],
      fingerprint: '*',
    });
  });

  test('lets our switches do what controllers said, so that states and a file come of it', async () => {
    const entry = flowMod({ match: { inPort: 2 }, actions: [output(1)] });
    const { trace, messages } = await imported([
      ...connect,
      received(50, 1, entry),
      injected(60, h1.mac, ping),
      violation,
    ]);
    expect(messages).toEqual({ recorded: 7, happened: 7 });
    expect(trace.events.filter(({ kind, process }) => kind === 'deliver' && process === 's2').at(-1)).toMatchObject({
      from: 's1',
      message: { type: 'frame', port: 1, packet: ping },
    });
    expect(readTrace(writeTrace(trace), 'small.trace')).toEqual(trace);
  });

  test('follows hosts that move', async () => {
    const move = (ms: number, old: readonly number[], now: readonly number[]) =>
      stsEvent('HostMigration', ms, {
        old_ingress_dpid: old[0],
        old_ingress_port_no: old[1],
        new_ingress_dpid: now[0],
        new_ingress_port_no: now[1],
        host_id: "host:[IPAddr('123.123.1.2')]",
      });
    const { trace } = await imported([
      ...connect,
      move(100, [1, 2], [2, 3]),
      injected(200, h1.mac, ping),
      move(300, [2, 3], [1, 3]),
      violation,
    ]);
    expect(inputsIn(trace).filter((input) => !input.startsWith('send'))).toEqual([
      'migrate {"station":"h1","to":"s2"}',
      `inject {"from":"h1","packet":"${ping}"}`,
      'migrate {"station":"h1","to":"s1"}',
    ]);
    const arrived = trace.events.filter(({ kind, process }) => kind === 'deliver' && process === 's2');
    expect(arrived.at(-1)).toMatchObject({ message: { type: 'detach', station: 'h1' } });
  });

  test('loses the frames of hosts that STS dropped', async () => {
    const fingerprint = ['DataplaneDrop', {}, "host:[IPAddr('123.123.1.2')]", h1.mac];
    const { trace, notes } = await imported([
      ...connect,
      injected(100, h1.mac, ping),
      stsEvent('DataplaneDrop', 150, { fingerprint, passive: true }),
      stsEvent('DataplaneDrop', 160, { fingerprint: ['DataplaneDrop', { class: 'lldp' }, 1, 1] }),
      violation,
    ]);
    expect(inputsIn(trace)).toEqual(['send s1 frame', 'lose environment']);
    expect(trace.events.find(({ kind }) => kind === 'lose')?.dropped).toHaveLength(1);
    expect(notes).toEqual(['1 drop of frames on links: only fingerprints are stored']);
  });

  test('takes old formats, and says what they lack', async () => {
    const dpEvent = injected(0, h1.mac, ping)['dp_event'];
    const { trace, notes, messages } = await imported([
      stsEvent('ControllerStateChange', 0, {
        controller_id: 'c1',
        _fingerprint: ['ControllerStateChange', '%s going up...'],
      }),
      stsEvent('ConnectToControllers', 5, { label: 'i5' }),
      stsEvent('ControlMessageReceive', 10, {
        dpid: 1,
        controller_id: 'c1',
        fingerprint: ['ControlMessageReceive', { class: 'ofp_hello' }, 1, 'c1'],
      }),
      stsEvent('ControlMessageReceive', 20, {
        dpid: 1,
        controller_id: 'c1',
        fingerprint: ['ControlMessageReceive', { class: 'ofp_flow_mod' }, 1, 'c1'],
      }),
      stsEvent('TrafficInjection', 30, { dp_event: JSON.stringify(dpEvent) }),
      stsEvent('TrafficInjection', 40, { dp_event: null }),
      stsEvent('TrafficInjection', 50),
      stsEvent('ControlMessageSend', 60, { dpid: 2, controller_id: 'c1', timed_out: true }),
      violation,
    ]);
    expect(messages).toEqual({ recorded: 1, happened: 1 });
    expect(inputsIn(trace)).toEqual(['send s1 frame']);
    expect(notes).toEqual([
      '1 event timed out in a replay of STS, and did not happen',
      '1 message without bytes, as in traces before 2014: only a fingerprint is stored',
      '2 injections without a packet (dp_event), as in old traces: the packets are in another file',
    ]);
    expect(trace.events.flatMap(({ observed = [] }) => observed)).toEqual([
      { process: 'c1', what: 'log', content: '%s going up...', atMs: 0 },
    ]);
  });

  test('may say which invariant the violation breaks', async () => {
    const { trace } = await imported([...connect, violation], { violation: 'alive' });
    expect(trace.verdict).toMatchObject({ oracle: 'alive', fingerprint: 'alive *' });
  });
});

describe('refused is', () => {
  test.each([
    ['', 'the trace is empty.'],
    [
      '{"class":"Earthquake","time":[1,2]}',
      'line 1 of the trace has an event of the class "Earthquake", which STS does not have.',
    ],
    ['{"class":"WaitTime"}', 'line 1 of the trace has no time.'],
    ['{"trace":"culprit"}', 'line 1 of the trace has no time.'],
    ['{"class":"SwitchFailure","time":[1,2]}', 'line 1 of the trace has no number in `dpid`.'],
    [
      '{"class":"LinkFailure","time":[1,2],"start_dpid":1,"start_port_no":9,"end_dpid":2,"end_port_no":9}',
      'no mesh and no fat tree has the 2 switches, the links and the stations of the trace.',
    ],
    [
      '{"class":"HostMigration","time":[1,2],"old_ingress_dpid":1,"old_ingress_port_no":1,"new_ingress_dpid":2,"new_ingress_port_no":9}',
      'line 1 of the trace moves the host at s1.1, a port without a host.',
    ],
  ])('%s', async (text, message) => {
    await expect(importSts(text, 'bad')).rejects.toThrow(message);
  });
});

test('a damaged trace is imported, or refused with a reason', async () => {
  const events = [...connect, link('LinkFailure', 100, [1, 1, 2, 1]), injected(200, h1.mac, ping), violation];
  const values = fc.constantFrom<unknown>(null, -1, 1.5, 'x', '', [], {}, [null], 99, true);
  const damage = fc.tuple(fc.nat(events.length - 1), fc.nat(20), values);
  await fc.assert(
    fc.asyncProperty(damage, async ([at, field, value]) => {
      const names = Object.keys(events[at] as object);
      const damaged = { ...events[at], [names[field % names.length] as string]: value };
      const result = await imported(events.with(at, damaged)).catch((error: unknown) => error);
      expect(result instanceof CulpritError || (result as Partial<Imported>).trace !== undefined).toBe(true);
    }),
    { numRuns: 60 },
  );
});
