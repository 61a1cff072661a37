import { wordsIn } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { behavior, check, crash, search, send, start, untilQuiet, type Oracle } from 'culprit';
import { resolveSystem, targetOf } from 'culprit/kernel';
import {
  allPairsConnected,
  buildFrame,
  controllersAlive,
  defineNetwork,
  flowMod,
  isolation,
  linear,
  may,
  mesh,
  mustNot,
  noBlackholes,
  noInvalidPorts,
  noLoops,
  noOverlap,
  noStorm,
  noTwoLoops,
  persistentConnectivity,
  sessionAffinity,
  switchesConnected,
  tableErrorsHeeded,
  tablesMatch,
  vlanSlice,
  type NetworkDefinition,
  type SwitchMessage,
} from 'culprit/networks';
import { installing, to, type Installed } from '../twins/networks/installing.ts';

/** The fingerprint of a violation in 5 executions of a network; otherwise whether it holds. */
async function judged(oracle: Oracle, definition: Partial<NetworkDefinition>, flows: readonly Installed[] = []) {
  const found = await violation(oracle, definition, flows);
  return typeof found === 'string' ? found : found.fingerprint;
}

async function violation(oracle: Oracle, definition: Partial<NetworkDefinition>, flows: readonly Installed[] = []) {
  const system = networkWith(oracle, definition, flows);
  const { findings, unknown } = await search(system, { executions: 5 });
  const verdict = findings[0]?.trace.verdict;
  if (verdict?.verdict === 'violated') return verdict;
  return unknown > 0 ? 'unknown' : 'holds';
}

const networkWith = (oracle: Oracle, definition: Partial<NetworkDefinition>, flows: readonly Installed[]) =>
  defineNetwork({
    topology: linear(2),
    controllers: { c1: installing(flows) },
    ...definition,
    invariants: { it: oracle },
  });

const X = '00:00:5e:00:53:01';
const [H1, H2] = ['12:34:56:78:01:02', '12:34:56:78:02:02'];
const flow = (at: string, port: Parameters<typeof to>[0], more: Partial<Installed> = {}): Installed => ({
  at,
  match: { dlDst: X },
  actions: [to(port)],
  ...more,
});
/** Around mesh(3): s1.2 is s2, s2.1 is s3, s3.2 is s1. */
const around = [flow('s1', 2), flow('s2', 1), flow('s3', 2)];
/** Both ways between the stations of linear(2), whose port 1 leads to the other switch. */
const routes = [
  flow('s1', 2, { match: { dlDst: H1 } }),
  flow('s1', 1, { match: { dlDst: H2 } }),
  flow('s2', 1, { match: { dlDst: H1 } }),
  flow('s2', 2, { match: { dlDst: H2 } }),
];

describe('noLoops', () => {
  test('names the switches from the first in the order of texts, and the headers', async () => {
    const found = await violation(noLoops(), { topology: mesh(3) }, around);
    expect(found).toMatchObject({
      fingerprint: `it loop s1 s2 s3: dlDst=${X}`,
      processes: ['s1', 's2', 's3'],
      values: { blame: { entry: { match: { dlDst: X } }, event: expect.any(Number) as number } },
    });
    expect(found).toHaveProperty('values.path.length', 3);
  });

  test('holds while a switch is missing, and needs no station', async () => {
    expect(await judged(noLoops(), { topology: mesh(3) }, around.slice(1))).toBe('holds');
    expect(await judged(noLoops(), { topology: linear(2) }, routes)).toBe('holds');
  });

  test('is violated at once or after a while, and checked in every order', async () => {
    const persistent = noLoops({ persist: 3 });
    expect(await judged(persistent, { topology: mesh(3) }, around)).toBe(`it loop s1 s2 s3: dlDst=${X}`);
    expect(await judged(noLoops({ persist: { ms: 50 } }), { topology: mesh(3) }, around)).toBe(
      `it loop s1 s2 s3: dlDst=${X}`,
    );
    const system = networkWith(noLoops(), { topology: linear(2) }, routes.slice(0, 2));
    expect(await check(system, { executions: 3000 })).toMatchObject({ verdict: 'holds' });
  });

  test('does not count a loop that goes away within the time', async () => {
    const cure = { ...flow('s3', 2), command: 'delete' as const, actions: [] };
    expect(await judged(noLoops(), { topology: mesh(3) }, [...around, cure])).toBe(`it loop s1 s2 s3: dlDst=${X}`);
    expect(await judged(noLoops({ persist: 5 }), { topology: mesh(3) }, [...around, cure])).toBe('holds');
  });
});

describe('noBlackholes', () => {
  test.each([
    ['no such port', flow('s1', 9)],
    ['sent back', flow('s1', 2)],
    ['sent back', flow('s1', 2, { match: { inPort: 2 } })],
  ])('%s', async (why, entry) => {
    const headers = entry.match.inPort === undefined ? `dlDst=${X}` : 'any packet';
    expect(await judged(noBlackholes(), {}, [entry])).toBe(`it blackhole s1 ${why}: ${headers}`);
  });

  test('names the packet, its path and the flow_mod', async () => {
    const second = flow('s2', 9, { match: { inPort: 1, dlDst: X } });
    const found = await violation(noBlackholes(), {}, [flow('s1', 1), second]);
    const { message, values = {} } = typeof found === 'string' ? { message: found } : found;
    expect(message).toBe(
      `s2 loses packets of h1, which it sends to port 9, and there is none, such as ping h1 → ${X}.`,
    );
    expect(values).toMatchObject({ station: 'h1', path: [{ switch: 's1', inPort: 2, outPort: 1 }, { switch: 's2' }] });
    expect(['packet', 'path', 'blame'].flatMap((name) => wordsIn(values[name]))).toEqual([
      `ping h1 → ${X}`,
      `s1, port 2 to port 1, by dl_dst ${X} → output 1, priority 100`,
      `s2, port 1 to port 9, by port 1, dl_dst ${X} → output 9, priority 100`,
      expect.stringMatching(/^s2 learned port 1, dl_dst .* → output 9, priority 100 in event \d+$/),
    ]);
  });

  test('a cut link is one, until entries are removed', async () => {
    const cut: Partial<NetworkDefinition> = { traffic: (net) => [net.cutLink('s1', 's2')] };
    expect(await judged(noBlackholes(), cut, routes)).toMatch(/^it blackhole s[12] (link cut|port down): dlDst=12:34/);
  });

  test('no station sends such packets, no entry matches them, or the entry drops them', async () => {
    const elsewhere = { match: { dlSrc: X } };
    expect(await judged(noBlackholes(), {}, [flow('s1', 9, elsewhere), flow('s2', 2, { actions: [] })])).toBe('holds');
  });
});

describe('connectivity', () => {
  test('all pairs', async () => {
    const persist = 20;
    expect(await judged(allPairsConnected({ persist, viaController: false }), {}, routes)).toBe('holds');
    expect(await judged(allPairsConnected({ persist, viaController: false }), {}, routes.slice(1))).toBe('it h2 to h1');
    expect(await judged(allPairsConnected(), {}, [])).toBe('holds');
    expect(await judged(allPairsConnected(), {}, [flow('s1', 2, { match: {}, actions: [] })])).toBe('it h1 to h2');
  });

  test('stations without a link between them need not be connected', async () => {
    const cut: Partial<NetworkDefinition> = { traffic: (net) => [net.cutLink('s1', 's2')] };
    expect(await judged(allPairsConnected({ persist: 20, viaController: false }), cut, routes)).toBe('holds');
  });

  test('of stations that have talked', async () => {
    const talk: Partial<NetworkDefinition> = { traffic: (net) => [untilQuiet(), net.ping('h1', 'h2')] };
    expect(await judged(persistentConnectivity(), talk, routes)).toBe('holds');
    // A packet that gets through makes the controller of this network close the way.
    const closing = behavior({
      start: () => ({}),
      receive(_state, message: SwitchMessage, ctx) {
        if (message.type === 'hello') ctx.send(ctx.from, message);
        if (message.type !== 'packet_in') return;
        const { bufferId, inPort } = message;
        const actions = [to(ctx.from === 's1' ? 1 : 2)];
        ctx.send(ctx.from, { type: 'packet_out', xid: 1, bufferId, inPort, actions, data: '' });
        ctx.send('s1', flowMod({ priority: 1 }));
      },
    });
    expect(await judged(persistentConnectivity(), { ...talk, controllers: { c1: closing } })).toBe('it h1 to h2');
  });
});

describe('isolation', () => {
  const guest = mustNot('h1', 'h2');
  test('mustNot', async () => {
    expect(await judged(isolation({ rules: [guest] }), {}, routes)).toBe('it mustNot h1 h2');
    expect(await judged(isolation({ rules: [guest] }), {}, routes.slice(0, 3))).toBe('holds');
  });
  test('may', async () => {
    const dropping = [...routes, flow('s1', 1, { match: { dlDst: H2 }, priority: 200, actions: [] })];
    expect(await judged(isolation({ rules: [may('h1', 'h2')] }), {}, dropping)).toBe('it may h1 h2');
    expect(await judged(isolation({ rules: [may('h1', 'h2')], persist: 2 }), {}, routes)).toBe('holds');
  });
  test('slices', async () => {
    const tagging = [flow('s1', 1, { actions: [{ type: 'set_vlan_vid', vlanVid: 7 }, to(1)] }), flow('s2', 2)];
    expect(await judged(isolation({ rules: [vlanSlice(7, ['h1'])] }), {}, tagging)).toBe('it slice 7 h1 h2');
    expect(await judged(isolation({ rules: [vlanSlice(8, ['h1', 'h2'])] }), {}, tagging)).toBe('holds');
  });
  test('a station that does not exist makes it unknown', async () => {
    expect(await judged(isolation({ rules: [mustNot('h1', 'h9')] }), {}, routes)).toBe('unknown');
  });
});

describe('entries', () => {
  test('noInvalidPorts', async () => {
    const hidden = [flow('s1', 9, { match: { dlSrc: X } })];
    expect(await judged(noInvalidPorts(), {}, hidden)).toBe(`it no such port s1: dl_src ${X}`);
    expect(await judged(noInvalidPorts(), {}, routes)).toBe('holds');
  });
  test('noOverlap', async () => {
    const equal = [flow('s1', 1), flow('s1', 2, { match: { dlSrc: H1 } })];
    expect(await judged(noOverlap(), {}, equal)).toBe(`it overlap s1: dl_src ${H1} and dl_dst ${X}`);
    const masked = [flow('s1', 1, { priority: 200 }), flow('s1', 1, { match: { dlSrc: H1 }, actions: [] })];
    expect(await judged(noOverlap(), {}, masked)).toBe(`it masked s1: dl_src ${H1} and dl_dst ${X}`);
    expect(await judged(noOverlap(), {}, [flow('s1', 1), flow('s1', 2, { match: {}, priority: 1 })])).toBe('holds');
  });
  test('noTwoLoops', async () => {
    expect(await judged(noTwoLoops(), {}, [flow('s1', 1), flow('s2', 1)])).toBe(`it two s1 s2: dlDst=${X}`);
    expect(await judged(noTwoLoops(), {}, routes)).toBe('holds');
  });
  test('tablesMatch', async () => {
    const view = () => ({ s1: [{ match: { dlDst: X }, priority: 100, actions: [to(1)] }] });
    expect(await judged(tablesMatch({ view, persist: 3 }), {}, [flow('s1', 1)])).toBe('holds');
    expect(await judged(tablesMatch({ view, persist: 3 }), {}, [])).toMatch(/^it s1 lacks an entry/);
    expect(
      await judged(tablesMatch({ view, persist: 3 }), {}, [flow('s1', 1), flow('s1', 2, { priority: 7 })]),
    ).toMatch(/^it s1 has an entry/);
  });
});

describe('controllers', () => {
  test('controllersAlive', async () => {
    const dying = behavior({
      start: () => ({}),
      receive(_state, message: SwitchMessage) {
        if (message.type === 'packet_in') throw new Error('unexpected packet');
      },
    });
    const system = networkWith(controllersAlive(), { controllers: { c1: dying } }, []);
    const session = targetOf(resolveSystem(system)).open(1);
    const oracle = controllersAlive().begin?.(session);
    for (const name of ['c1', 's1', 's2']) await session.perform(start(name));
    expect(oracle?.judge(session.world, undefined)).toEqual({ kind: 'holds' });
    await session.perform(send('s1', { type: 'frame', port: 2, packet: `${'00'.repeat(12)}88b5` }));
    const delivery = () => session.enabled.find(({ kind }) => kind === 'deliver');
    for (let next = delivery(); next !== undefined; next = delivery()) await session.perform(next);
    expect(oracle?.judge(session.world, undefined)).toMatchObject({
      kind: 'violated',
      fingerprint: 'controllersAlive c1',
      message: 'the controller c1 has ended by itself.',
    });
    expect(await judged(controllersAlive(), { traffic: () => [crash('c1')] }, [])).toBe('holds');
  });
  test('switchesConnected', async () => {
    const deaf = behavior({ start: () => ({}), receive() {} });
    expect(await judged(switchesConnected({ within: 3 }), {}, [])).toBe('holds');
    expect(await judged(switchesConnected({ within: 3 }), { controllers: { c1: deaf } }, [])).toMatch(/^it s[12]$/);
  });
  test('tableErrorsHeeded', async () => {
    const full: Partial<NetworkDefinition> = { switches: { tableMax: 1 } };
    expect(await judged(tableErrorsHeeded(), full, routes)).toMatch(/^it c1 s[12] all_tables_full$/);
    expect(await judged(tableErrorsHeeded(), {}, routes)).toBe('holds');
  });
});

describe('frames', () => {
  const floods = [1, 2, 3].map((nth) => flow(`s${nth}`, 'flood', { match: {} }));
  test('noStorm', async () => {
    const ping: Partial<NetworkDefinition> = {
      topology: mesh(3),
      traffic: (net) => [untilQuiet(), net.ping('h1', 'h2')],
    };
    expect(await judged(noStorm({ copies: 20 }), ping, floods)).toBe('it storm');
    expect(await judged(noStorm({ copies: 20 }), { ...ping, topology: linear(3) }, floods)).toBe('holds');
  });
  test('sessionAffinity', async () => {
    const syn = buildFrame({
      dlDst: X,
      dlSrc: H1,
      dlType: 0x0800,
      payload: {
        kind: 'ipv4',
        nwSrc: '123.123.1.2',
        nwDst: '192.0.2.1',
        nwTos: 0,
        nwProto: 6,
        ttl: 64,
        id: 0,
        flags: [],
        fragmentOffset: 0,
        payload: {
          kind: 'tcp',
          tpSrc: 1000,
          tpDst: 80,
          seq: 0,
          ack: 0,
          flags: ['syn'],
          window: 0,
          urgent: 0,
          data: '',
        },
      },
    });
    const servers = ['h2', 'h3'];
    const net: Partial<NetworkDefinition> = {
      topology: linear(3),
      traffic: (traffic) => [untilQuiet(), traffic.inject('h1', syn)],
    };
    expect(await judged(sessionAffinity({ servers }), net, floods)).toBe('it split session');
    expect(await judged(sessionAffinity({ servers: ['h2'] }), net, floods)).toBe('holds');
    expect(await judged(sessionAffinity({ servers: ['h9'] }), net, floods)).toBe('unknown');
  });
});

test('options are checked', () => {
  expect(() => noLoops({ persist: -1 })).toThrow('persist is');
  expect(() => noLoops({ persists: 1 } as never)).toThrow('did you mean persist?');
  expect(() => noStorm({} as never)).toThrow('copies');
});

test('an oracle among the invariants needs a name of its own', () => {
  const system = defineNetwork({
    topology: linear(2),
    controllers: { c1: installing([]) },
    invariants: { loops: noLoops() },
    oracles: { loops: noLoops() },
  });
  expect(() => resolveSystem(system)).toThrow('loops is an oracle among the invariants and among the oracles.');
});
