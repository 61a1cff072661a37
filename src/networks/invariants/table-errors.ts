import { optionsOf } from '../../kernel/options/options.ts';
import type { Oracle } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import type { Deliver, Event } from '../../trace/event.ts';
import type { ErrorMessage } from '../openflow/messages.ts';
import { historyOracle, type Problem } from './network-oracle.ts';
import { persistField, type PersistOptions } from './persistence.ts';

const tableErrorsHeededOptions = optionsOf<PersistOptions>('tableErrorsHeeded', { persist: persistField });

interface Unheeded extends Problem {
  readonly controller: string;
  readonly switch: string;
}

/**
 * A controller that gets the error of a flow_mod does something about it: it sends the switch a message, at once or within the
 * time that `persist` gives it.
 */
export function tableErrorsHeeded(options: PersistOptions = {}): Oracle {
  const { persist = 0 } = tableErrorsHeededOptions.checked(options);
  const begin = () => {
    let unheeded: readonly Unheeded[] = [];
    return (world: World, last: Event | undefined): readonly Problem[] => {
      if (last?.kind !== 'deliver') return unheeded;
      // A message that the controller sends to the switch later is a reaction, too.
      unheeded = unheeded.filter((problem) => last.from !== problem.controller || last.process !== problem.switch);
      const error = failedFlowMod(last);
      if (error !== undefined && !hasReacted(world)) unheeded = [...unheeded, unheededError(last, error)];
      return unheeded;
    };
  };
  return historyOracle('tableErrorsHeeded', persist, begin);
}

function failedFlowMod({ message }: Deliver): ErrorMessage | undefined {
  const sent = message as Partial<ErrorMessage> | null;
  return typeof sent === 'object' && sent?.type === 'error' && sent.error === 'flow_mod_failed'
    ? (sent as ErrorMessage)
    : undefined;
}

/** Whether the last event made something happen. */
const hasReacted = ({ pending, length }: World): boolean => pending.some(({ cause }) => cause === length - 1);

const unheededError = ({ process, from }: Deliver, { code }: ErrorMessage): Unheeded => ({
  controller: process,
  switch: from,
  fingerprint: `${process} ${from} ${code}`,
  shown: () => ({
    message: `${process} does nothing about a flow_mod that ${from} refused (${code})`,
    processes: [process, from],
  }),
});
