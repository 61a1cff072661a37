import type { SessionResource } from '../../kernel/uncontrolled/session-resources.ts';
import type { World } from '../../kernel/world.ts';

/** Calls back after the event with which all processes have started; in a restart, after the restart. */
export class WhenAllStarted implements SessionResource {
  private waiting: { readonly declared: readonly string[]; readonly callBack: () => void }[] = [];

  /** Opens it for a session: for `Io.shared`. */
  static readonly open = (): WhenAllStarted => new WhenAllStarted();

  add(declared: readonly string[], callBack: () => void): void {
    this.waiting.push({ declared, callBack });
  }

  afterEvent(world: World): void {
    const isStarting = world.last?.kind === 'start';
    const [ready, waiting] = [[] as typeof this.waiting, [] as typeof this.waiting];
    for (const one of this.waiting)
      (isStarting && one.declared.some((name) => !world.process(name).up) ? waiting : ready).push(one);
    this.waiting = waiting;
    for (const { callBack } of ready) callBack();
  }

  close(): void {
    this.waiting = [];
  }
}
