import { describe, expect, test } from 'vitest';
import { alternatives } from './ambiguities.ts';
import type { Answer, CandidateSchedule } from '../pass.ts';

const candidate: CandidateSchedule = { events: [], likeness: 'type', targets: new Map() };

/** The choices asked for, where nothing fails and there is always a choice among two, then among three. */
function asked(budget: number): string[] {
  const answer: Answer = { failing: undefined, isUnknown: false, ambiguities: [2, 3] };
  const found: string[] = [];
  const asking = alternatives(candidate, budget);
  for (let step = asking.next(); step.done !== true; step = asking.next(answer))
    found.push((step.value.choices ?? []).join(' '));
  return found;
}

describe('alternatives', () => {
  test('are tried by how far they are from the closest, the earliest first', () => {
    expect(asked(Number.POSITIVE_INFINITY)).toEqual(['', '1', '0 1', '0 2', '1 1', '1 2']);
  });

  test('are tried as long as the budget lasts', () => {
    expect(asked(2)).toEqual(['', '1', '0 1']);
    expect(asked(0)).toEqual(['']);
  });
});
