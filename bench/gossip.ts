import { behavior, defineSystem, send } from 'culprit';
import { resolveSystem, type ResolvedSystem } from 'culprit/kernel';
import type { Strategy } from 'culprit/kernel';

/** A node does little work: it counts, and passes the message on to a node that the counts determine. */
const node = behavior<{ count: number }, number>({
  start: () => ({ count: 0 }),
  receive(state, message, ctx) {
    state.count += 1;
    ctx.send(ctx.peers[(state.count + message) % ctx.peers.length] as string, message + 1);
  },
});

/** This many nodes, with this many messages that travel among them forever. */
export const gossip = (nodes: number, messages: number): ResolvedSystem =>
  resolveSystem(
    defineSystem({
      processes: Object.fromEntries(Array.from({ length: nodes }, (_, at) => [`n${at}`, node])),
      workload: Array.from({ length: messages }, (_, at) => send(`n${at % nodes}`, at)),
    }),
  );

/** The externals first, then always the first enabled event. */
export function firstEnabled(system: ResolvedSystem): Strategy {
  const externals = system.plan(1).items.filter((item) => item.kind !== 'until');
  let injected = 0;
  return { next: (session) => externals[injected++] ?? session.enabled[0] };
}
