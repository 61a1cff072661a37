import { expect, test } from 'vitest';
import { jsonMutant, textMutant } from '../../test/twins/mutants/json-mutant.ts';
import { connected, injected, link, stsEvent, textOf } from '../../test/twins/networks/sts-trace.ts';
import { CulpritError } from '../error.ts';
import { Random } from '../kernel/data/random.ts';
import { importSts } from './import-sts.ts';

const events = [
  stsEvent('ConnectToControllers', 0),
  ...connected(50, 1),
  ...connected(60, 2),
  stsEvent('ControlChannelBlock', 100, { dpid: 1, controller_id: 'c1' }),
  stsEvent('ControlChannelUnblock', 110, { dpid: 1, controller_id: 'c1' }),
  injected(150, '12:34:56:78:01:02', '123456780202123456780102'),
  link('LinkFailure', 200, [1, 1, 2, 1]),
  link('LinkRecovery', 300, [1, 1, 2, 1]),
  stsEvent('InvariantViolation', 400, { violations: ['c1'] }),
];

const MUTANTS = 80;

test('a damaged trace of STS is imported, or refused with a reason', async () => {
  const endings = { imported: 0, refused: 0 };
  for (let seed = 0; seed < MUTANTS; seed++) {
    const random = Random.seeded(seed, 0x737473);
    const text =
      seed % 4 === 0
        ? textMutant(textOf(events), random)
        : textOf(jsonMutant(events, random) as Parameters<typeof textOf>[0]);
    try {
      await importSts(text, 'damaged');
      endings.imported += 1;
    } catch (error) {
      if (!(error instanceof CulpritError)) throw new Error(`seed ${seed}: ${text}`, { cause: error });
      endings.refused += 1;
    }
  }
  expect(endings.imported).toBeGreaterThan(10);
  expect(endings.refused).toBeGreaterThan(10);
});
