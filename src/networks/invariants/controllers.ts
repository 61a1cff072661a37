import { list, text } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Oracle, Session } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import { switchOf } from '../network/world-of-stations.ts';
import { historyOracle, worldOracle, type FindProblems } from './network-oracle.ts';
import { durationField, persistField, type Duration, type PersistOptions } from './persistence.ts';

/** The options of `controllersAlive`. */
export interface ControllersAliveOptions extends PersistOptions {
  /** The names of the controllers; by default those that switches are connected to. */
  readonly controllers?: readonly string[];
}

const controllersAliveOptions = optionsOf<ControllersAliveOptions>('controllersAlive', {
  persist: persistField,
  controllers: list('a list of names of processes', text),
});

/** No controller has ended by itself. One that the environment crashed or stopped does not count. */
export function controllersAlive(options: ControllersAliveOptions = {}): Oracle {
  const { persist = 0, controllers } = controllersAliveOptions.checked(options);
  const begin = (session: Session): FindProblems => {
    const known = new Set(controllers);
    return (world) => {
      if (controllers === undefined) for (const name of controllersOf(world)) known.add(name);
      const dead = [...known].filter((name) => hasEnded(world, session, name));
      const all = dead.length === known.size && dead.length > 1 ? ' It was the last one.' : '';
      return dead.map((name) => ({
        fingerprint: name,
        shown: () => ({ message: `the controller ${name} has ended by itself.${all}`, processes: [name] }),
      }));
    };
  };
  const oracle = historyOracle('controllersAlive', persist, begin, true);
  made.add(oracle);
  return oracle;
}

/** The oracles of this kind. */
const made = new WeakSet<object>();

/** The same invariants, those about the ends of controllers first: other problems may follow from such an end. */
export const controllersFirst = <T>(invariants: Readonly<Record<string, T>>): Record<string, T> => {
  const isFirst = (invariant: T): boolean => typeof invariant === 'object' && invariant !== null && made.has(invariant);
  const all = Object.entries(invariants);
  return Object.fromEntries([
    ...all.filter(([, invariant]) => isFirst(invariant)),
    ...all.filter(([, invariant]) => !isFirst(invariant)),
  ]);
};

const controllersOf = (world: World): string[] =>
  world.up().flatMap((process) => [...(switchOf(process)?.options.controllers ?? [])]);

/** Started once, not up, and not by a crash or stop of the environment. */
function hasEnded(world: World, { recording }: Session, name: string): boolean {
  if (world.process(name).up) return false;
  const last = recording.events.since(0).findLast(({ process, kind }) => process === name && lifeEvents.has(kind));
  return last?.kind === 'start' || last?.kind === 'restart';
}

const lifeEvents: ReadonlySet<string> = new Set(['start', 'restart', 'stop', 'crash']);

/** The options of `switchesConnected`. */
export interface SwitchesConnectedOptions {
  /** How long a switch may be without a controller: fair rounds, or milliseconds of the session's clock. */
  readonly within: Duration;
}

const switchesConnectedOptions = optionsOf<SwitchesConnectedOptions>('switchesConnected', { within: durationField }, [
  'within',
]);

/** Every switch that is up has a channel to some controller, or gets one within this time. */
export function switchesConnected(options: SwitchesConnectedOptions): Oracle {
  const { within } = switchesConnectedOptions.checked(options);
  return worldOracle(
    'switchesConnected',
    within,
    () => (world) =>
      world.up().flatMap((process) => {
        const found = switchOf(process);
        if (found?.state === undefined) return [];
        const { name, state, options: given } = found;
        const channels = Object.values(state.channels);
        if (given.controllers.length === 0 || channels.some(({ status }) => status === 'connected')) return [];
        return [
          { fingerprint: name, shown: () => ({ message: `${name} is connected to no controller`, processes: [name] }) },
        ];
      }),
  );
}
