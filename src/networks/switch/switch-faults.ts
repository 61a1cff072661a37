import type { World } from '../../kernel/world.ts';
import { send } from '../../system/externals.ts';
import { hex } from '../../trace/digest.ts';
import type { External } from '../../trace/event.ts';

/** What the environment does to switches, besides a crash, which is their power failure: constructors for workloads and actions. */

/** The control failure of a switch: it closes its channels and opens none. It keeps its flow table, and forwards frames. */
export const failControl = (name: string) => send(name, { type: 'control_failure' });

/** The switch connects to its controllers again. */
export const recoverControl = (name: string) => send(name, { type: 'control_recovery' });

/** Whether the second external is the recovery from the first, a control failure. */
export const recovers = (first: External, second: External): boolean =>
  isOf(first, 'control_failure') && isOf(second, 'control_recovery') && first.to === second.to;

const isOf = (external: External, type: string): external is External & { readonly kind: 'send' } =>
  external.kind === 'send' && (external.message as { readonly type?: unknown } | null)?.type === type;

/** The channel of a switch to one controller, or to all, is reset: the switch closes it, and connects again at once. */
export const resetChannel = (name: string, controller?: string) =>
  send(name, { type: 'channel_reset', ...(controller === undefined ? {} : { controller }) });

/**
 * An action for `actions` of a system: the switch loses the next flow_mod without a trace. Its controller gets no error, and barriers are
 * answered. The flow_mod is lost on its way, within `faults.losses`: the switch would not have shown a difference.
 */
export function loseFlowMod(world: Pick<World, 'pending'>, { to }: { readonly to: string }): External[] {
  const lost = world.pending.find(
    (event) => event.kind === 'deliver' && event.process === to && isFlowMod(event.message),
  );
  return lost === undefined ? [] : [{ kind: 'lose', target: hex(lost) }];
}

const isFlowMod = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'flow_mod';
