import { search } from 'culprit';
import { defineNetwork, mesh, noLoops } from 'culprit/networks';
import { expect, test } from 'vitest';
import { installing, to, type Installed } from '../twins/networks/installing.ts';

const X = '00:00:5e:00:53:01';

const flows = (ports: Readonly<Record<string, number>>): Installed[] =>
  Object.entries(ports).map(([at, port]) => ({ at, match: { dlDst: X }, actions: [to(port)] }));

/** In mesh(3), s1.2 leads to s2, s2.1 to s3, and s3.2 to s1. */
test.each([
  ['s1 → s2 → s3 → s1', flows({ s1: 2, s2: 1, s3: 2 })],
  ['s1 → s3 → s2 → s1', flows({ s1: 1, s2: 2, s3: 1 })],
])('a loop has the same name in both directions: %s', async (direction, entries) => {
  const system = defineNetwork({
    topology: mesh(3),
    controllers: { c1: installing(entries) },
    invariants: { loops: noLoops() },
  });
  const { findings } = await search(system, { executions: 5 });
  expect(findings[0]?.trace.verdict).toMatchObject({
    message: expect.stringContaining(direction) as string,
    fingerprint: `loops loop s1 s2 s3: dlDst=${X}`,
  });
});
