import { behavior } from 'culprit';
import { flowMod, type Action, type FlowMod, type Match, type SwitchMessage } from 'culprit/networks';

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
      for (const { at, ...flow } of flows) if (at === ctx.from) ctx.send(at, flowMod({ priority: 100, ...flow }));
    },
  });
