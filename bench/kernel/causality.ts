import { Random } from 'culprit/kernel';
import { Causality, type Event } from 'culprit/trace';
import { gossip } from '../gossip.ts';
import { raftLike } from '../raft-like.ts';
import type { Measured } from '../row.ts';
import { run } from '../run.ts';
import { best, inTurns } from '../timing.ts';
import { uniform, WithClients } from '../with-clients.ts';

const EVENTS = 100_000;
const QUERIES = 20_000;
const ROUNDS = 9;
/** Events at this distance are often concurrent; distant ones hardly ever are. */
const NEAR = 200;

/** Exact happens-before on long executions. */
export async function causality(): Promise<Measured[]> {
  const raft = raftLike('any');
  const crowd = gossip(50, 100);
  const among5 = await run(raft, new WithClients(raft, 1), EVENTS);
  const among50 = await run(crowd, uniform(crowd, 1), EVENTS);
  return [
    ...(await measured('Raft-like, 5 processes', among5.recording.events.since(0))),
    ...(await measured('gossip, 50 processes', among50.recording.events.since(0))),
  ];
}

async function measured(name: string, events: readonly Event[]): Promise<Measured[]> {
  const index = new Causality(events);
  const random = Random.seeded(1, 2);
  const times = await inTurns(ROUNDS, {
    build: () => void new Causality(events),
    far: () => {
      for (let i = 0; i < QUERIES; i++) index.happensBefore(random.below(EVENTS), random.below(EVENTS));
    },
    near: () => {
      for (let i = 0; i < QUERIES; i++) index.concurrent(i, i + random.below(NEAR));
    },
    past: () => void index.past(EVENTS - 1),
  });
  const perQuery = (ms: number[]): number => (best(ms) * 1e6) / QUERIES;
  return [
    { case: name, metric: 'index 100,000 events', value: best(times.build), unit: 'ms' },
    { case: name, metric: 'happensBefore, any two events', value: perQuery(times.far), unit: 'ns' },
    { case: name, metric: 'concurrent, near events', value: perQuery(times.near), unit: 'ns' },
    { case: name, metric: 'past of the last event', value: best(times.past), unit: 'ms' },
  ];
}
