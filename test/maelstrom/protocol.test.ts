import { describe, expect, test } from 'vitest';
import { behavior, crash, defineSystem, restart, search, send } from 'culprit';
import { ticking } from '../twins/ticking.ts';
import { maelstrom, maelstromLines, type Body, type WorkloadName } from 'culprit/maelstrom';

/** A node that answers `init` and echoes, and does one more thing with each message. */
const echoNode = (also: (body: Body, say: (to: string, body: unknown) => void) => void = () => undefined) =>
  behavior({
    start: () => ({ got: [] as Body[] }),
    receive(state, body: Body, ctx) {
      state.got.push(body);
      if (body.type === 'init' || body.type === 'echo')
        ctx.send(ctx.from, { type: `${body.type}_ok`, echo: body['echo'], in_reply_to: body.msg_id } as never);
      also(body, (to, message) => ctx.send(to, message as never));
    },
  });

const partsOf = (node: ReturnType<typeof echoNode>, workload: WorkloadName = 'echo') =>
  maelstrom({ workload, node: () => node, nodes: 2, clients: 1, operations: 2, services: [] });

const verdictOf = async (node: ReturnType<typeof echoNode>, workload?: WorkloadName) => {
  const { findings } = await search(defineSystem(partsOf(node, workload)), { executions: 5 });
  return findings[0]?.trace.verdict;
};

describe('a node that breaks the protocol', () => {
  test('writes to nobody: it gets error 1, and is named', async () => {
    const node = echoNode((body, say) => body.type === 'echo' && say('n9', { type: 'hello', msg_id: 5 }));
    expect(await verdictOf(node)).toMatchObject({
      oracle: 'protocol',
      fingerprint: 'protocol undeliverable',
      message: expect.stringMatching(/^n[12] sent {"type":"hello"} to "n9", which does not exist$/) as string,
    });
    // With the violation left out, the execution continues, and the answer reaches the node.
    const { oracles: _, ...parts } = partsOf(node);
    const answered = {
      gotError: (world: { up(): readonly { state: object }[] }) => world.up().every(({ state }) => !isRefused(state)),
    };
    const { findings } = await search(defineSystem({ ...parts, invariants: answered }), { executions: 5 });
    expect(findings[0]?.trace.verdict).toMatchObject({ oracle: 'gotError' });
  });

  test.each([
    ['no body', 'text', 'sent "text": a body is an object'],
    ['no type', { x: 1 }, 'sent {"x":1}: a body has a type, which is a text'],
    ['a wrong number', { type: 'x', msg_id: 'one' }, 'sent {"type":"x","msg_id":"one"}: msg_id is a whole number'],
  ])('sends %s', async (_what, message, problem) => {
    const verdict = await verdictOf(echoNode((body, say) => body.type === 'echo' && say('c1', message)));
    expect(verdict).toMatchObject({ fingerprint: 'protocol malformed' });
    expect(verdict).toHaveProperty('message', expect.stringContaining(problem));
  });

  test('does not answer init', async () => {
    const node = behavior({ start: () => ({}), receive: (_state, _body: Body) => undefined });
    expect(await verdictOf(node as never)).toMatchObject({
      fingerprint: 'protocol no init_ok',
      message: 'n1 did not answer init',
    });
  });

  test('answers something else', async () => {
    expect(
      await verdictOf(
        echoNode((body, say) => body.type === 'read' && say('c1', { type: 'read_ok', in_reply_to: body.msg_id })),
        'g-set',
      ),
    ).toMatchObject({
      fingerprint: 'protocol wrong answer',
      message: expect.stringMatching(
        /^n[12] answered {"type":"read"} of c1 with {"type":"read_ok"}: it has no value$/,
      ) as string,
    });
  });

  test('gives an error without a code', async () => {
    const node = echoNode(
      (body, say) => body.type === 'generate' && say('c1', { type: 'error', in_reply_to: body.msg_id }),
    );
    expect(await verdictOf(node, 'unique-ids')).toMatchObject({
      message: expect.stringContaining('the code of an error is a whole number') as string,
    });
  });
});

const isRefused = (state: object): boolean =>
  'got' in state &&
  (state.got as Body[]).some(({ type, code, in_reply_to }) => type === 'error' && code === 1 && in_reply_to === 5);

test('init and topology come first, and again after a restart', async () => {
  // The node stores nothing, so what the workload promises is left out.
  const { workload, oracles: _, ...parts } = partsOf(echoNode(), 'broadcast');
  const again = [crash('n1'), restart('n1'), send('n1', { type: 'echo', echo: 1 })];
  const firstTwo = ({ state }: { state: object }): boolean => {
    const [init, topology] = 'got' in state ? (state.got as Body[]) : [];
    return init?.type !== 'init' || topology?.type !== 'topology';
  };
  const { findings, executions } = await search(
    defineSystem({
      ...parts,
      workload: [...again, ...workload],
      invariants: {
        inOrder: (world) => world.up().every((process) => !('got' in process.state) || !firstTwo(process)),
        toldOnce: (world) =>
          world
            .up()
            .every(
              ({ state }) =>
                !('got' in state) || (state.got as Body[]).filter(({ type }) => type === 'init').length === 1,
            ),
      },
    }),
    { executions: 5 },
  );
  expect(findings).toEqual([]);
  expect(executions).toBe(5);
});

describe('a process that acts by itself', () => {
  /** It answers `init` after so many milliseconds of a fake clock, and echoes. */
  const programAnsweringAfter = (ms: number) =>
    ticking({
      receive(box, message, from) {
        const body = message as Body;
        const answer = (): void =>
          box.send(from, { type: `${body.type}_ok`, echo: body['echo'], in_reply_to: body.msg_id });
        if (body.type === 'init') box.after(ms, answer);
        else answer();
      },
    });

  const searched = (ms: number) =>
    search(
      defineSystem(
        maelstrom({ workload: 'echo', node: () => programAnsweringAfter(ms), nodes: 2, operations: 3, services: [] }),
      ),
      { executions: 2 },
    );

  test('may take seconds to answer init: requests wait for it', async () => {
    const { findings, unknown } = await searched(8_000);
    expect([findings, unknown]).toEqual([[], 0]);
  });
});

test('bad options get one sentence', () => {
  const node = () => echoNode();
  expect(() => maelstrom({ workload: 'brodcast' as never, node })).toThrow(
    /^workload is one of echo, unique-ids, broadcast, /,
  );
  expect(() => maelstrom({ workload: 'echo' } as never)).toThrow('maelstrom has no node.');
  expect(() => maelstrom({ workload: 'echo', node, nodes: 0 })).toThrow('nodes is a whole number, 1 or more, not 0.');
  expect(() => maelstrom({ workload: 'echo', node, faults: { crash: 1 } as never })).toThrow(
    'did you mean faults.crashes?',
  );
  expect(() => maelstrom({ workload: 'echo', node: () => 5 as never })).toThrow('the node n1 takes');
});

describe('lines', () => {
  const codec = maelstromLines();

  test('are messages with src, dest and body', () => {
    const line = '{"src": "n1", "dest": "n2", "body": {"type": "hello", "msg_id": 1}}';
    expect(codec.decode(line, 'n1')).toEqual({ to: 'n2', message: { type: 'hello', msg_id: 1 } });
    expect(codec.encode({ type: 'hello' }, 'c1', 'n1')).toBe('{"src":"c1","dest":"n1","body":{"type":"hello"}}');
  });

  test.each([
    ['hello', 'it is not JSON'],
    ['5', 'it is not an object with src, dest and body'],
    ['{"dest": "n2", "body": {"type": "x"}}', 'its src is no text'],
    ['{"src": "n1", "body": {"type": "x"}}', 'its dest is no text'],
    ['{"src": "n1", "dest": "n2"}', 'a body is an object'],
    ['{"src": "n1", "dest": "n2", "body": {}}', 'a body has a type, which is a text'],
  ])('%s', (line, why) => {
    expect(() => codec.decode(line, 'n1')).toThrow(`n1 printed a line that is no message: ${why}: `);
  });
});
