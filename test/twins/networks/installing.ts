import { behavior } from 'culprit';
import type { Action, FlowMod, Match, SwitchMessage } from 'culprit/networks';

/** A flow entry that a controller installs at a switch. */
export interface Installed extends Partial<Pick<FlowMod, 'priority' | 'command' | 'flags'>> {
  readonly at: string;
  readonly match: Match;
  readonly actions: readonly Action[];
}

export const to = (port: Extract<Action, { type: 'output' }>['port']): Action => ({ type: 'output', port, maxLen: 0 });

/** A controller that answers the hello of a switch, and gives it its flow entries. */
export const installing = (flows: readonly Installed[]) =>
  behavior({
    start: () => ({ errors: 0 }),
    receive(state, message: SwitchMessage, ctx) {
      if (message.type === 'error') state.errors++;
      if (message.type !== 'hello') return;
      ctx.send(ctx.from, message);
      for (const { at, match, actions, priority = 100, command = 'add', flags = [] } of flows) {
        if (at !== ctx.from) continue;
        const fixed = { xid: 1, cookie: 0, idleTimeout: 0, hardTimeout: 0, bufferId: 'none', outPort: 'none' } as const;
        ctx.send(at, { type: 'flow_mod', ...fixed, match, command, priority, flags, actions });
      }
    },
  });
