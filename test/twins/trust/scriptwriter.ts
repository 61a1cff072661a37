import { FOREVER } from './actor.ts';
import type { Dice } from './dice.ts';
import type { Family, Kind } from './families.ts';
import { hiddenParts, onlyInStates, type HiddenPart } from './hidden-parts.ts';
import type { Handler, Role, Step } from './script.ts';
import { namesOf, themesOf } from './shapes.ts';

const WORDS = 2;
const STEPS_MAX = 2;
/** Changes of data take no events, so there may be more of them. */
const CHANGES_MAX = 4;
const TICKS = [0, 1, 2, 3, 10, 50];
const KEYS = ['k', 'l'];
const TIMERS = ['t', 'u'];
export const LANES = ['x', 'y'];

/** Draws the scripts of processes. */
export class Scriptwriter {
  /** The theme of changes and tests of data. */
  readonly theme: string;
  private kinds: readonly Kind[] = [];

  constructor(
    private readonly dice: Dice,
    private readonly family: Family,
    private readonly names: readonly string[],
  ) {
    this.theme = dice.pick<string>(themesOf[family.shape ?? 'aliases']);
  }

  role(name: string): Role {
    const { dice, family } = this;
    // A spawned process spawns no other, or there would be no end of it.
    this.kinds = family.kinds.filter((kind) => kind !== 'spawn' || name !== 'worker');
    return {
      blocking: family.blocking === true && dice.once(2),
      start: this.start(name),
      receive: Array.from({ length: WORDS }, () => [this.handler(), this.handler()] as const),
      timer: this.handler(),
      wrote: dice.once(2) ? { manner: 'plain', steps: [{ do: 'count', by: 1 }] } : this.nothing(),
    };
  }

  private nothing(): Handler {
    return { manner: 'plain', steps: [] };
  }

  /** Most processes just start. Endless ones set a timer that repeats. */
  private start(name: string): Handler {
    const { dice, family } = this;
    const forever: Step[] = family.endless && name === 'a' ? [{ do: 'repeat', timer: FOREVER }] : [];
    if (family.startsWithData) return { manner: 'plain', steps: [this.simple('change', 0), this.simple('change', 0)] };
    if (!dice.once(family.startsSlowly ? 2 : 4)) return { manner: 'plain', steps: forever };
    const { manner, steps } = this.handler();
    return { manner: manner === 'void' ? 'async' : manner, steps: [...forever, ...steps.slice(0, 1)] };
  }

  private handler(): Handler {
    const { dice, family } = this;
    const manner = dice.pick(family.manners);
    const most = family.kinds.includes('change') && !family.few ? CHANGES_MAX : STEPS_MAX;
    return { manner, steps: this.steps(1 + dice.below(most), manner !== 'plain', 0) };
  }

  private steps(count: number, mayWait: boolean, depth: number): Step[] {
    return Array.from({ length: count }, () => this.step(this.dice.pick(this.kinds), mayWait, depth));
  }

  private step(kind: Kind, mayWait: boolean, depth: number): Step {
    const { dice, family } = this;
    const needsAsync = kind.startsWith('await') || kind === 'ticks';
    if (needsAsync && !mayWait) return { do: 'count', by: 1 + dice.below(3) };
    switch (kind) {
      case 'send':
        return { do: 'send', to: dice.pick(this.names), word: dice.below(WORDS), body: this.body(), lane: this.lane() };
      case 'test':
        if (depth > 0 || family.shape === undefined) return { do: 'count', by: 2 };
        return {
          do: 'if',
          test: dice.pick(namesOf(this.theme, 'tests')),
          steps: this.steps(1, mayWait, depth + 1).concat({ do: 'count', by: 1 }),
        };
      case 'detach':
        if (depth > 0) return { do: 'count', by: 3 };
        return { do: 'detach', steps: this.steps(1 + dice.below(STEPS_MAX), true, depth + 1) };
      case 'hide':
        return this.hidden();
      default:
        return this.simple(kind, depth);
    }
  }

  private lane(): string | undefined {
    return this.family.lanes ? this.dice.pick([undefined, ...LANES]) : undefined;
  }

  private simple(kind: Kind, depth: number): Step {
    const { dice, family } = this;
    const wait = kind.startsWith('await');
    switch (kind) {
      case 'change':
        return { do: 'change', change: dice.pick(namesOf(this.theme, 'changes')) };
      case 'ask':
      case 'await ask': {
        const catches = family.rejects !== true || (depth === 0 && dice.once(2));
        return { do: 'ask', to: dice.pick(this.names), word: dice.below(WORDS), limit: dice.once(3), wait, catches };
      }
      case 'reply':
        return { do: 'reply', word: dice.below(WORDS) };
      case 'sleep':
      case 'await sleep':
        return { do: 'sleep', wait };
      case 'write':
      case 'await write':
        return { do: 'write', key: dice.pick(KEYS), wait };
      case 'read':
      case 'await read':
        return { do: 'read', key: dice.pick(KEYS), wait };
      case 'timer':
        return { do: dice.pick(['set', 'set', 'repeat', 'cancel'] as const), timer: dice.pick(TIMERS) };
      case 'ticks':
        return { do: 'ticks', times: dice.pick(TICKS) };
      case 'spawn':
        return { do: 'spawn' };
      case 'throw':
        return dice.once(2) ? { do: 'throw' } : { do: 'count', by: 2 };
      default:
        return { do: 'count', by: 1 + dice.below(3) };
    }
  }

  private body(): string | undefined {
    const { dice, family } = this;
    const known = family.shape === undefined ? [] : namesOf(this.theme, 'bodies');
    return known.length === 0 || dice.once(4) ? undefined : dice.pick(known);
  }

  private hidden(): Step {
    const part = this.dice.pick(Object.keys(hiddenParts) as HiddenPart[]);
    const where = onlyInStates.includes(part) ? 'state' : this.dice.pick(['state', 'message', 'disk'] as const);
    return { do: 'hide', part, where };
  }
}
