import type { AnyBehavior } from 'culprit/kernel';

/** An object that culprit can neither copy nor look into. */
class Hidden {
  readonly #state: object;

  constructor(state: object) {
    this.#state = state;
  }

  static stateOf(hidden: object): object {
    return (hidden as Hidden).#state;
  }
}

/** The same process, with its state in a private field: what is true of one must be true of the other. */
export function withHiddenState(of: AnyBehavior): AnyBehavior {
  const stateOf = (hidden: object): object => Hidden.stateOf(hidden);
  return {
    blocking: of.blocking === true,
    start(ctx) {
      const state = of.start(ctx);
      return state instanceof Promise ? state.then((value) => new Hidden(value)) : new Hidden(state);
    },
    receive: (hidden, message, ctx) => of.receive(stateOf(hidden), message, ctx),
    timer: (hidden, timer, ctx) => of.timer?.(stateOf(hidden), timer, ctx),
    wrote: (hidden, key, ctx) => of.wrote?.(stateOf(hidden), key, ctx),
    returned: (hidden, message, to, ctx) => of.returned?.(stateOf(hidden), message, to, ctx),
    view: stateOf,
  };
}
