import { expect, test } from 'vitest';
import { TimedOut, withinMs } from './time-limit.ts';

/** The first calls are guarded by scripts, all further ones by the inspector. */
const MANY = 100;

const forever = (): void => {
  for (;;);
};

/** A loop in which code refuses to end. */
const stubborn = (): void => {
  for (;;) {
    try {
      forever();
    } catch {
      // V8 does not come here.
    }
  }
};

test('code that does not return is ended, by the first clocks and by later ones', () => {
  for (let call = 0; call < MANY; call++) expect(withinMs(10_000, () => call)).toBe(call);
  for (const hangs of [forever, stubborn]) {
    expect(() => withinMs(20, hangs)).toThrow(TimedOut);
    expect(withinMs(10_000, () => 'goes on')).toBe('goes on');
  }
});

test('an error of the code is thrown as it is', () => {
  const error = new Error('its own');
  for (let call = 0; call < MANY; call++) {
    const thrower = (): never => {
      throw error;
    };
    expect(() => withinMs(10_000, thrower)).toThrow(error);
  }
});

test('of two clocks, the one that strikes first ends the code that it guards', () => {
  for (let call = 0; call < MANY; call++) withinMs(10_000, () => undefined);
  const seen: string[] = [];
  withinMs(10_000, () => {
    expect(() => withinMs(20, forever)).toThrow(TimedOut);
    seen.push('after the inner one');
  });
  const outer = (): void =>
    withinMs(20, () => {
      withinMs(10_000, forever);
      seen.push('after the outer one');
    });
  expect(outer).toThrow(TimedOut);
  expect(seen).toEqual(['after the inner one']);
});
