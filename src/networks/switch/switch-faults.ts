import type { World } from '../../kernel/world.ts';
import { send } from '../../system/externals.ts';
import { hex } from '../../trace/digest.ts';
import type { External } from '../../trace/event.ts';

/** What the environment does to switches, besides a crash, which is their power failure: constructors for workloads and actions. */

/** The control failure of a switch: it closes its channels and opens none. It keeps its flow table, and forwards frames. */
export const failControl = (name: string) => send(name, { type: 'control_failure' });

/** The switch connects to its controllers again. */
export const recoverControl = (name: string) => send(name, { type: 'control_recovery' });

/** For `minimize` of a system: a control failure is a fault, kept or dropped with its recovery; so is a reset, which needs none. */
export const recovery = {
  fails: (external: External) => switchOf(external, 'control_failure') ?? resetIn(external),
  recovers: (external: External) => switchOf(external, 'control_recovery'),
};

/** The name differs from that of the switch, so that no recovery belongs to it. */
const resetIn = (external: External): string | undefined => {
  const name = switchOf(external, 'channel_reset');
  return name && `channels of ${name}`;
};

const switchOf = (external: External, type: string): string | undefined =>
  external.kind === 'send' && hasType(external.message, type) ? external.to : undefined;

/** The channel of a switch to one controller, or to all, is reset: the switch closes it, and connects again at once. */
export const resetChannel = (name: string, controller?: string) =>
  send(name, { type: 'channel_reset', ...(controller === undefined ? {} : { controller }) });

/**
 * An action for `actions` of a system: the switch loses the next flow_mod without a trace. Its controller gets no error, and barriers are
 * answered. The flow_mod is lost on its way, within `faults.losses`: the switch would not have shown a difference.
 */
export function loseFlowMod(world: Pick<World, 'pending'>, { to }: { readonly to: string }): External[] {
  const lost = world.pending.find(
    (event) => event.kind === 'deliver' && event.process === to && hasType(event.message, 'flow_mod'),
  );
  return lost === undefined ? [] : [{ kind: 'lose', target: hex(lost) }];
}

const hasType = (message: unknown, type: string): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type;
