import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { against, PAIRS } from './against.ts';
import { cores } from './cores.ts';
import { demi } from './demi.ts';
import { dpor } from './dpor.ts';
import { fleet } from './fleet.ts';
import { history } from './history.ts';
import { hunt } from './hunt.ts';
import { kernel } from './kernel.ts';
import { live } from './live.ts';
import { networks } from './networks.ts';
import type { Bench, Measured, PartOptions, Row } from './row.ts';
import { samc, samcRemark } from './samc.ts';
import { shrink } from './shrink.ts';
import { sts, stsCases } from './sts.ts';
import { table } from './table.ts';
import { tcp } from './tcp.ts';
import { trust } from './trust.ts';

/** `npm run bench -- kernel`, `… kernel --only fork`, `… kernel --json`, `… kernel --against <checkout>`. */
const benches: Readonly<Record<string, Bench>> = {
  kernel,
  hunt,
  cores,
  history,
  demi,
  shrink,
  dpor,
  samc,
  trust,
  networks,
  live,
  tcp,
  fleet,
  sts,
};

/** Notes for readers of the tables, by bench. */
const remarks: Readonly<Record<string, string>> = { samc: samcRemark };

/** Parts that run only on request: they take long and their rows have another shape, or another part has them. */
const onRequest: readonly string[] = ['demi baselines', 'demi externals', ...stsCases.map((part) => `sts ${part}`)];

const { values, positionals } = readArguments();
const [name = '', ...rest] = positionals;
const bench = benches[name];
if (bench === undefined || rest.length > 0) {
  wrongUse(name === '' ? 'which bench?' : `there is no bench called ${[name, ...rest].join(' ')}.`);
}
if (values.only !== undefined && !(values.only in bench)) wrongUse(`${name} has no part called ${values.only}.`);
const options: PartOptions = { seeds: readSeeds() };

if (values.only === undefined) runAll(bench);
else await run(bench, values.only);

function readArguments() {
  try {
    return parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        only: { type: 'string' },
        seeds: { type: 'string' },
        against: { type: 'string' },
        pairs: { type: 'string' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    return wrongUse(`${(error as Error).message}.`);
  }
}

/** `2..4`, or `3` for one. */
function readSeeds(): PartOptions['seeds'] {
  const { seeds } = values;
  if (seeds === undefined) return undefined;
  if (name !== 'demi' && name !== 'trust') wrongUse(`${name} takes no seeds.`);
  const [, from, to = from] = /^(\d+)(?:\.\.(\d+))?$/.exec(seeds) ?? [];
  if (Number(from) <= Number(to)) return [Number(from), Number(to)];
  return wrongUse(`--seeds is a range such as 1..5, not ${JSON.stringify(seeds)}.`);
}

function pairs(): number {
  const count = Number(values.pairs ?? PAIRS);
  return Number.isInteger(count) && count > 0
    ? count
    : wrongUse(`--pairs is a number of processes, not ${JSON.stringify(values.pairs)}.`);
}

function wrongUse(what: string): never {
  console.error(
    `bench: ${what}\n\nusage: npm run bench -- <bench> [--only <part>] [--seeds <a..b>] [--json | --against <checkout> [--pairs <n>]]\n`,
  );
  for (const [known, parts] of Object.entries(benches)) {
    const names = Object.keys(parts).map((part) => (isOnRequest(known, part) ? `${part} if asked for` : part));
    console.error(`  ${known}  (${names.join(', ')})`);
  }
  console.error(
    '\n--seeds 2..40: instead of the listed executions of demi, those of the seeds 2 to 40 that fail, bug by bug',
  );
  console.error('               of trust, the systems or mutants of these seeds');
  console.error(
    '--against <checkout>: as ratios to what the same bench measures in another checkout, which has been built',
  );
  console.error(`--pairs 15: the number of processes of each checkout, ${PAIRS} by default`);
  process.exit(2);
}

function isOnRequest(known: string, part: string): boolean {
  return onRequest.includes(`${known} ${part}`);
}

/** Each part in a process of its own. */
function runAll(parts: Bench): void {
  const passedOn = [
    ...(values.json ? ['--json'] : []),
    ...(values.seeds === undefined ? [] : ['--seeds', values.seeds]),
    ...(values.against === undefined ? [] : ['--against', values.against]),
    ...(values.pairs === undefined ? [] : ['--pairs', values.pairs]),
  ];
  for (const part of Object.keys(parts).filter((one) => !isOnRequest(name, one))) {
    const self = [...process.execArgv, process.argv[1] as string, name, '--only', part, ...passedOn];
    const { status } = spawnSync(process.execPath, self, { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
}

async function run(parts: Bench, part: string): Promise<void> {
  if (values.against !== undefined) {
    console.log(
      [`${name} ${part}, against ${values.against}`, await against(values.against, name, part, pairs()), ''].join('\n'),
    );
    return;
  }
  const measured = await (parts[part] as Bench[string])(options);
  const shown =
    'rows' in measured ? await printed(measured.rows, measured.shown) : await printed(named(measured), table);
  if (shown === undefined) {
    console.error(`bench: nothing to measure: no execution of the seeds ${values.seeds} fails.`);
    process.exitCode = 2;
    return;
  }
  const head = [`${name} ${part}`, ...(remarks[name] === undefined ? [] : [remarks[name]])];
  if (!values.json) console.log([...head, shown, ''].join('\n'));
}

/** Prints rows as they arrive, or the table made of all of them; undefined if there are none. */
async function printed<R extends object>(
  coming: AsyncIterable<R>,
  shown: (rows: readonly R[]) => string,
): Promise<string | undefined> {
  const rows: R[] = [];
  for await (const row of coming) {
    if (values.json) console.log(JSON.stringify(row));
    rows.push(row);
  }
  return rows.length === 0 ? undefined : shown(rows);
}

async function* named(measured: Iterable<Measured> | AsyncIterable<Measured>): AsyncGenerator<Row> {
  for await (const row of measured) yield { bench: name, ...row };
}
