import { Simulation } from 'culprit/kernel';
import type { ProcessView, Session } from 'culprit/kernel';
import type { External, Internal } from 'culprit/trace';
import { hex } from 'culprit/trace';
import { isMail } from './mail.ts';
import type { Declared, Fact } from './random-system.ts';
import { anyExternals, DECLARED, profileOf, randomSystem } from './random-system.ts';
import { TransportTwin } from './transport.ts';

/** A session of a random system beside the twin that watches it. */
export class SideBySide {
  readonly session: Session;
  private readonly facts: Fact[] = [];
  private readonly performed: Internal[] = [];
  private readonly twin: TransportTwin;

  private readonly hasLanes: boolean;

  constructor(declared: Declared, seed: number) {
    this.hasLanes = declared.links !== undefined;
    const system = randomSystem(declared, (fact) => this.facts.push(fact));
    this.session = Simulation.open(system, seed);
    const blocks = (process: string): boolean => profileOf(declared.profiles, process).blocking;
    this.twin = new TransportTwin(declared.transport, declared.timers, blocks, DECLARED, declared.links);
  }

  /** Returns how session and twin differ after the event. */
  async perform(event: Internal | External): Promise<readonly string[]> {
    const { world, recording } = this.session;
    const before = new Set(world.pending.map(hex));
    const notes = recording.notes.length;
    await this.session.perform(event);
    if (world.last === undefined) throw new Error('nothing happened');
    if ('hi' in event) this.performed.push(event);
    const fresh = world.pending.filter((pending) => !before.has(hex(pending)));
    const dropped = recording.notes.since(notes).filter((note) => note.kind === 'dropped');
    return [...this.twin.observe(world.last, this.facts.splice(0), fresh, dropped), ...this.differences()];
  }

  /** Mostly an enabled event, sometimes one of the environment. */
  choose(choice: number): Internal | External | undefined {
    const { enabled, world } = this.session;
    const at = choice >>> 2;
    if (choice % 4 > 0 && enabled.length > 0) return enabled[at % enabled.length];
    const messages = world.pending.filter((event) => this.isOnTheWay(event));
    const allowed = anyExternals(
      messages.map(hex),
      this.hasLanes,
      this.hasLanes ? enabled.slice(0, 4).map(hex) : [],
    ).filter((external) => this.twin.allows(external));
    return allowed[at % allowed.length];
  }

  /** An event that must not happen now, if there is one: not enabled, or already past. */
  forbidden(choice: number): Internal | External | undefined {
    const enabled = new Set(this.twin.enabled());
    const events = [...this.session.world.pending, ...this.performed].filter((event) => !enabled.has(hex(event)));
    const untils = this.hasLanes ? this.session.world.pending.slice(0, 4).map(hex) : [];
    const externals = anyExternals(this.performed.map(hex), this.hasLanes, untils).filter(
      (external) => !this.twin.allows(external),
    );
    const options = choice % 3 > 0 ? events : externals;
    return options[(choice >>> 2) % options.length];
  }

  /** It is unspecified whether a message kept for a process that has not joined can be lost. */
  private isOnTheWay(event: Internal): boolean {
    return isMail(event) && this.twin.knows(event.process);
  }

  private differences(): string[] {
    const { enabled, world, fork } = this.session;
    return [
      ...different('pending', world.pending.map(hex), this.twin.pending(), world.pending),
      ...different('enabled', enabled.map(hex), this.twin.enabled(), world.pending),
      ...this.twin.processes().flatMap(({ name, up, disk }) => {
        const [shown, wanted] = [world.process(name), { up, disk }].map(life);
        return shown === wanted ? [] : [`${name}: expected ${wanted}, found ${shown}`];
      }),
      ...(this.twin.isSuspended() && fork !== undefined ? ['a fork while a handler awaits'] : []),
    ];
  }
}

const life = ({ up, disk }: Pick<ProcessView, 'up' | 'disk'>): string =>
  `${up ? 'up' : 'down'}, ${JSON.stringify(Object.fromEntries([...disk].toSorted(([a], [b]) => (a < b ? -1 : 1))))}`;

/** Equal as sets and without repetitions; formatted only if they differ, because that is slow. */
function different(
  what: string,
  found: readonly string[],
  wanted: readonly string[],
  pending: readonly Internal[],
): string[] {
  if (found.toSorted().join() === wanted.toSorted().join()) return [];
  const legible = (ids: readonly string[]): string => ids.map((id) => brief(id, pending)).join('; ');
  const [missing, extra] = [wanted.filter((id) => !found.includes(id)), found.filter((id) => !wanted.includes(id))];
  return [`${what}: ${found.length} for ${wanted.length}, missing ${legible(missing)}, too many ${legible(extra)}`];
}

function brief(id: string, pending: readonly Internal[]): string {
  const event = pending.find((other) => hex(other) === id);
  if (event === undefined) return id;
  const { kind, process, hi: _hi, lo: _lo, cause: _cause, ...rest } = event;
  return `${kind} ${process} ${JSON.stringify(rest)} ${id}`;
}
