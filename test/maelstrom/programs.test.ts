import { expect, test } from 'vitest';
import { defineSystem, search } from 'culprit';
import { command, stdio } from 'culprit/live';
import { maelstrom, maelstromLines, type MaelstromOptions } from 'culprit/maelstrom';
import broadcast from '../../cases/maelstrom/broadcast.system.ts';
import counter from '../../cases/maelstrom/g-counter.system.ts';
import store from '../../cases/maelstrom/lin-kv.system.ts';

test.each([
  ['broadcast in Python', broadcast, {}],
  ['broadcast in JavaScript', broadcast, { python: false }],
  ['g-counter in JavaScript', counter, {}],
  ['lin-kv in Python', store, {}],
])('%s is right, as it was written for Maelstrom', async (_what, system, set) => {
  const { findings, unknown, whyUnknown } = await search(system, { executions: 1, set: { ...set, operations: 5 } });
  expect(findings.map(({ trace }) => trace.verdict)).toEqual([]);
  expect([unknown, whyUnknown]).toEqual([0, undefined]);
});

test('a broadcast that sends each message once loses one', async () => {
  const { findings } = await search(broadcast, { executions: 20, set: { bug: true, python: false, operations: 5 } });
  expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', fingerprint: 'finalState lost' });
});

/** A node in one line of JavaScript, which does something with each message; `say` prints a message, `print` a line. */
const nodeDoing = (code: string): MaelstromOptions['node'] => {
  const program = `let self; const print = (line) => process.stdout.write(line + '\\n');
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { src, dest, body } = JSON.parse(line); self = dest;
      const say = (to, body) => print(JSON.stringify({ src: self, dest: to, body }));
      if (body.type === 'init') say(src, { type: 'init_ok', in_reply_to: 1 }); else { ${code} }
    });`;
  return () => command(['node', '-e', program], { connect: stdio(maelstromLines()) });
};

test.each([
  [
    'prints a line that is no JSON',
    "print('hello')",
    /^n1 threw NoMessage: n1 printed a line that is no message: it is not JSON: "hello"$/,
  ],
  ['prints a line without a body', 'print(\'{"src": "n1", "dest": "c1"}\')', /a body is an object/],
  [
    'writes to a node that does not exist',
    "say('n7', { type: 'hello' })",
    /^n1 sent {"type":"hello"} to "n7", which does not exist$/,
  ],
  ['answers something else', "say(src, { type: 'ok', in_reply_to: body.msg_id })", /it is not echo_ok$/],
])('a program that %s is named', async (_what, code, message) => {
  const node = nodeDoing(code);
  const system = defineSystem(maelstrom({ workload: 'echo', node, nodes: 1, clients: 1, operations: 1, services: [] }));
  const { findings } = await search(system, { executions: 1 });
  expect(findings[0]?.trace.verdict).toMatchObject({
    verdict: 'violated',
    message: expect.stringMatching(message) as string,
  });
});

test('a program that does not answer init is named', async () => {
  const node = () => command(['node', '-e', 'process.stdin.resume()'], { connect: stdio(maelstromLines()) });
  const system = defineSystem(
    maelstrom({ workload: 'echo', node, nodes: 1, operations: 1, services: [], initMs: 200 }),
  );
  const { findings } = await search(system, { executions: 1 });
  expect(findings[0]?.trace.verdict).toMatchObject({ message: 'n1 did not answer init' });
});
