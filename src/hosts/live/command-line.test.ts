import { expect, test } from 'vitest';
import { filledIn, wordsOf } from './command-line.ts';

test.each([
  ['redis-server --port $port', ['redis-server', '--port', '$port']],
  ['  a   b\t c  ', ['a', 'b', 'c']],
  [`a 'b c' "d \\"e\\" $f" g\\ h ''`, ['a', 'b c', 'd "e" $f', 'g h', '']],
  [`x='1 2'3`, ['x=1 23']],
  ['', []],
])('splits %j as a shell does', (line, words) => {
  expect(wordsOf(line)).toEqual(words);
});

test.each(["a 'b", 'a "b', 'a b\\'])('refuses %j', (line) => {
  expect(() => wordsOf(line)).toThrow(/that nothing closes/);
});

test('fills in placeholders, and leaves what it does not know', () => {
  const values = new Map([
    ['port undefined', '80'],
    ['address n2', '127.1.1.2'],
    ['port n-3', '81'],
  ]);
  const valueOf = (what: string, of: string | undefined): string | undefined => values.get(`${what} ${of}`);
  expect(filledIn('--port $port', valueOf)).toBe('--port 80');
  expect(filledIn('$address.n2:$port.n-3', valueOf)).toBe('127.1.1.2:81');
  expect(filledIn('${port}00 $HOME $dir.n2', valueOf)).toBe('8000 $HOME $dir.n2');
  expect(filledIn('${address.n2}.log', valueOf)).toBe('127.1.1.2.log');
});
