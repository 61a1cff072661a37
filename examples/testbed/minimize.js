// Minimizes the inputs of a testbed that a shell command drives: node minimize.js inputs.txt ./replay.sh
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { minimizeInputs } from 'culprit/kernel';

const [file = 'inputs.txt', command = './replay.sh'] = process.argv.slice(2);
const inputs = readFileSync(file, 'utf8').trimEnd().split('\n');

/** @type {readonly ('holds' | 'violated')[]} */
const answers = ['holds', 'violated'];

/** @param {readonly string[]} some */
const replay = (some) => {
  const { status } = spawnSync(command, { shell: true, input: some.map((line) => `${line}\n`).join('') });
  return answers[status ?? 2] ?? 'unknown';
};

const { inputs: left, replays, is1Minimal } = await minimizeInputs(inputs, replay);
const count = `${inputs.length} inputs, ${left.length} are left after ${replays} replays`;
process.stderr.write(`${count}${is1Minimal ? ', 1-minimal' : ''}\n`);
process.stdout.write(left.map((line) => `${line}\n`).join(''));
