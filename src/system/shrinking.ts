import type { External } from '../trace/event.ts';
import { portableText } from '../trace/json-encoding.ts';
import { isOf } from '../error.ts';
import { BadAnswer, externalFrom } from '../kernel/user-code/answer.ts';
import type { Arbitrary, Drawn } from './arbitrary.ts';
import { SystemThrew } from '../kernel/errors.ts';

const ASKED = 'the arbitrary of a workload, asked for something simpler,';

/** Makes externals simpler the way that the arbitraries do which they were drawn from. */
export class Shrinking {
  /** By what they say: how each came about. */
  private readonly origins = new Map<string, { readonly drawn: Drawn<External>; readonly from: Arbitrary<External> }>();

  add(drawn: Drawn<External>, from: Arbitrary<External>): void {
    this.origins.set(textOf(drawn.value), { drawn, from });
  }

  /** Simpler ones, which can be made simpler in turn; none where it is unknown what drew it. */
  *simplerThan(external: External): Generator<External> {
    const origin = this.origins.get(textOf(external));
    if (origin?.from.shrink === undefined) return;
    try {
      for (const drawn of origin.from.shrink(origin.drawn.value as never, origin.drawn.context)) {
        externalFrom(ASKED, drawn.value);
        this.add(drawn, origin.from);
        yield drawn.value;
      }
    } catch (error) {
      throw isOf(error, BadAnswer) ? error : new SystemThrew(ASKED, error);
    }
  }
}

const textOf = (external: External): string => portableText(external, 'the external event');
