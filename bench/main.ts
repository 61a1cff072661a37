import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { history } from './history.ts';
import { hunt } from './hunt.ts';
import { kernel } from './kernel.ts';
import type { Bench, Row } from './row.ts';
import { table } from './table.ts';

/** `npm run bench -- kernel`, `… kernel --only fork`, `… kernel --json`. */
const benches: Readonly<Record<string, Bench>> = { kernel, hunt, history };

const { values, positionals } = readArguments();
const [name = '', ...rest] = positionals;
const bench = benches[name];
if (bench === undefined || rest.length > 0) {
  wrongUse(name === '' ? 'which bench?' : `there is no bench called ${[name, ...rest].join(' ')}.`);
}
if (values.only !== undefined && !(values.only in bench)) wrongUse(`${name} has no part called ${values.only}.`);

if (values.only === undefined) runAll(bench);
else await run(bench, values.only);

function readArguments() {
  try {
    return parseArgs({
      options: { json: { type: 'boolean', default: false }, only: { type: 'string' } },
      allowPositionals: true,
    });
  } catch (error) {
    return wrongUse(`${(error as Error).message}.`);
  }
}

function wrongUse(what: string): never {
  console.error(`bench: ${what}\n\nusage: npm run bench -- <bench> [--only <part>] [--json]\n`);
  for (const [known, parts] of Object.entries(benches)) console.error(`  ${known}  (${Object.keys(parts).join(', ')})`);
  process.exit(2);
}

/** Each part in a process of its own. */
function runAll(parts: Bench): void {
  for (const part of Object.keys(parts)) {
    const self = [...process.execArgv, process.argv[1] as string, name, '--only', part];
    const { status } = spawnSync(process.execPath, values.json ? [...self, '--json'] : self, { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
}

async function run(parts: Bench, part: string): Promise<void> {
  const rows: Row[] = [];
  for await (const measured of await (parts[part] as Bench[string])()) {
    const row = { bench: name, ...measured };
    if (values.json) console.log(JSON.stringify(row));
    else rows.push(row);
  }
  if (!values.json) console.log(`${name} ${part}\n${table(rows)}\n`);
}
