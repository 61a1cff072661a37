import { callback } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Oracle } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import type { Action, Match } from '../openflow/messages.ts';
import type { FlowEntry } from '../switch/flow-table.ts';
import { normalMatch, overlaps } from '../switch/matching.ts';
import { headersFrom } from '../header-space/symbolic-header.ts';
import { byPrecedence, type Rule } from '../header-space/rule.ts';
import { networkStateOf } from '../network/network-state-of.ts';
import { flowWords, matchWords } from '../words/flow-words.ts';
import { worldOracle, type Problem } from './network-oracle.ts';
import { persistField, type PersistOptions } from './persistence.ts';
import { watchedProblems } from './watched-problems.ts';

/** Invariants of single tables: they look at entries and not at the ways of packets. */

const noInvalidPortsOptions = optionsOf<PersistOptions>('noInvalidPorts', { persist: persistField });

/** No flow entry sends packets to a port that its switch does not have, whether packets meet it or not. */
export function noInvalidPorts(options: PersistOptions = {}): Oracle {
  const { persist = 0 } = noInvalidPortsOptions.checked(options);
  return worldOracle(
    'noInvalidPorts',
    persist,
    watchedProblems(function* ({ model }) {
      for (const at of model.switches)
        for (const { entry, steps } of at.table.all)
          for (const step of steps) {
            if (step.kind !== 'output' || typeof step.port !== 'number' || at.ports.has(step.port)) continue;
            yield entryProblem(
              at.name,
              'no such port',
              entry,
              `sends packets to port ${step.port}, which it does not have`,
            );
          }
    }),
  );
}

const entryProblem = (name: string, kind: string, entry: FlowEntry, what: string, other?: FlowEntry): Problem => ({
  fingerprint: `${kind} ${name}: ${matchWords(entry.match)}${other === undefined ? '' : ` and ${matchWords(other.match)}`}`,
  shown: () => ({
    message: `${name} ${what}: ${flowWords(entry)}${other === undefined ? '' : ` and ${flowWords(other)}`}`,
    processes: [name],
    values: { entry: plain(entry), ...(other === undefined ? {} : { other: plain(other) }) },
  }),
});

const plain = ({ match, priority, actions, cookie }: FlowEntry): object => ({ match, priority, actions, cookie });

/** The options of `noOverlap`. */
export interface NoOverlapOptions extends PersistOptions {
  /** The entries that no entry of higher priority may mask, even in part; by default those that drop packets. */
  readonly isProtected?: (entry: FlowEntry) => boolean;
}

const noOverlapOptions = optionsOf<NoOverlapOptions>('noOverlap', {
  persist: persistField,
  isProtected: callback,
});

/**
 * No packet has two entries of equal priority with different actions, and no entry of higher priority with different actions
 * masks a protected one.
 */
export function noOverlap(options: NoOverlapOptions = {}): Oracle {
  const { persist = 0, isProtected = ({ actions }) => actions.length === 0 } = noOverlapOptions.checked(options);
  return worldOracle(
    'noOverlap',
    persist,
    watchedProblems(function* ({ model }) {
      for (const { name, table } of model.switches)
        for (const rule of table.all)
          for (const other of table.overlapping(headersFrom(rule.cube))) {
            const problem = conflict(name, rule, other, isProtected);
            if (problem !== undefined) yield problem;
          }
    }),
  );
}

/** The first rule comes later in the table. */
function conflict(
  name: string,
  later: Rule,
  earlier: Rule,
  isProtected: (entry: FlowEntry) => boolean,
): Problem | undefined {
  const [one, other] = [later.entry, earlier.entry];
  if (byPrecedence(earlier, later) >= 0 || !overlaps(one.match, other.match)) return undefined;
  if (JSON.stringify(one.actions) === JSON.stringify(other.actions)) return undefined;
  if (one.priority === other.priority)
    return entryProblem(name, 'overlap', one, 'has two entries of equal priority for the same packets', other);
  return isProtected(one) ? entryProblem(name, 'masked', one, 'has an entry that another one masks', other) : undefined;
}

/** A flow entry as a controller knows it. */
export interface KnownFlow {
  /** Compared in normal form: fields that OpenFlow 1.0.1 ignores make no difference. */
  readonly match: Match;
  /** From 0 to 65,535. */
  readonly priority: number;
  /** Compared in their order. */
  readonly actions: readonly Action[];
}

/** The options of `tablesMatch`. */
export interface TablesMatchOptions extends PersistOptions {
  /** The entries that each switch should have, by its name; switches that are left out are not compared. */
  readonly view: (world: World) => Readonly<Record<string, readonly KnownFlow[]>>;
}

const tablesMatchOptions = optionsOf<TablesMatchOptions>('tablesMatch', { persist: persistField, view: callback }, [
  'view',
]);

/** Switches have the flow entries that their controller says they have. */
export function tablesMatch(options: TablesMatchOptions): Oracle {
  const { persist = 0, view } = tablesMatchOptions.checked(options);
  return worldOracle('tablesMatch', persist, () => (world) => {
    const known = view(world);
    return networkStateOf(world).switches.flatMap(({ name, entries }) => {
      const flows = known[name];
      if (flows === undefined) return [];
      const [has, should] = [new Set(entries.map(flowText)), new Set(flows.map(flowText))];
      return [
        ...[...has]
          .filter((flow) => !should.has(flow))
          .map((flow) => differing(name, flow, 'has an entry that its controller does not know')),
        ...[...should]
          .filter((flow) => !has.has(flow))
          .map((flow) => differing(name, flow, 'lacks an entry that its controller takes for granted')),
      ];
    });
  });
}

const flowText = ({ match, priority, actions }: KnownFlow): string =>
  flowWords({ match: normalMatch(match), priority, actions });

const differing = (name: string, flow: string, what: string): Problem => ({
  fingerprint: `${name} ${what}: ${flow}`,
  shown: () => ({ message: `${name} ${what}: ${flow}`, processes: [name], values: { flow } }),
});
