import type { HeaderOrigin } from './backward-search.ts';
import type { Visit } from './forward-walk.ts';
import type { ModelSwitch } from './network-model.ts';
import type { Rule } from './rule.ts';

/** One switch on the way of a packet: the entry that it meets, and the port by which it leaves. */
export interface Hop {
  /** The switch, as the model knows it. */
  readonly at: ModelSwitch;
  /** The entry that the headers match there. */
  readonly rule: Rule;
  /** The number of the port through which they leave. */
  readonly outPort: number;
}

/** The way that ends with this output. */
export function hopsTo(last: Visit, rule: Rule, outPort: number): Hop[] {
  const hops: Hop[] = [{ at: last.at, rule, outPort }];
  for (let { before } = last; before !== undefined; before = before.visit.before) {
    hops.push({ at: before.visit.at, rule: before.rule, outPort: before.outPort });
  }
  return hops.reverse();
}

/** The way that begins here, and ends with this output. */
export function hopsFrom(origin: HeaderOrigin, last: Rule, lastPort: number): Hop[] {
  const hops: Hop[] = [];
  let here = origin;
  for (; here.after !== undefined; here = here.after.origin) {
    hops.push({ at: here.at, rule: here.after.rule, outPort: here.after.outPort });
  }
  return [...hops, { at: here.at, rule: last, outPort: lastPort }];
}
