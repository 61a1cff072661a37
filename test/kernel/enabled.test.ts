import { start } from 'culprit';
import { Random, Simulation, type Declaration } from 'culprit/kernel';
import { hex, type External, type Internal } from 'culprit/trace';
import { expect, test } from 'vitest';
import { deeds, type Feature } from '../twins/deeds.ts';

const LENGTH = 30;

const enabledIds = ({ enabled }: Simulation): string[] => enabled.map(hex);

function opened(declaration: Declaration): Simulation {
  const session = Simulation.open(declaration, 0);
  for (const name of declaration.processes.keys()) void session.perform(start(name));
  return session;
}

/** Random steps, one after the other: enabled events, and the next items of scripts. */
async function performed(session: Simulation, items: readonly External[], random: Random) {
  const steps: { readonly step: Internal | External; readonly after: readonly string[] }[] = [];
  const left = items.slice();
  for (let step = 0; step < LENGTH; step++) {
    const next = left.find((item) => session.refusal(item) === undefined);
    const possible = [...session.enabled, ...(next === undefined ? [] : [next, next])];
    if (possible.length === 0) break;
    const chosen = random.pick(possible);
    if (chosen === next) left.splice(left.indexOf(next), 1);
    await session.perform(chosen);
    steps.push({ step: chosen, after: enabledIds(session) });
  }
  return steps;
}

test.each<Feature>(['messages', 'timers', 'crashes', 'stops', 'cuts', 'refusals'])(
  'enabled events are listed in the same order, whichever queries came before: %s',
  async (feature) => {
    let events = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { declaration, scripts } = deeds(feature, seed);
      const items = scripts.flatMap((script) => script.items).filter((item): item is External => item.kind !== 'until');
      const steps = await performed(opened(declaration), items, Random.seeded(seed, 1));
      for (const [at, { after }] of steps.entries()) {
        const unasked = opened(declaration);
        for (const { step } of steps.slice(0, at + 1)) await unasked.perform(step);
        expect({ seed, at, enabledIds: enabledIds(unasked) }).toEqual({ seed, at, enabledIds: after });
      }
      events += steps.length;
    }
    expect(events).toBeGreaterThan(200);
  },
);
