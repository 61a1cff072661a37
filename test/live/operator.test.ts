import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { act } from 'culprit';
import { command, execute, operator, request, type OperatorOptions, type OperatorView } from 'culprit/live';
import type { World } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DrivenSession } from './driven-session.ts';
import { processesWith } from './processes.ts';

const node = (program: string): string[] => [process.execPath, '-e', program];

/** An operator that does one thing after another. */
class Operated {
  private constructor(private readonly driven: DrivenSession) {}

  static async start(options: OperatorOptions = {}): Promise<Operated> {
    const listening = command(
      node('require("net").createServer().listen(process.argv[1], process.argv[2])').concat(['$port', '$address']),
      { port: 7000 },
    );
    return new Operated(
      await DrivenSession.start(
        { operator: operator(options), server: listening },
        { actions: { again: (world) => again(world) } },
      ),
    );
  }

  /** Performs an external with its consequence. */
  async does(external: External): Promise<OperatorView['results']> {
    const { session } = this.driven;
    await session.perform(external);
    while (session.enabled.length > 0) await session.perform(session.enabled[0] as never);
    return this.results;
  }

  get results(): OperatorView['results'] {
    return (this.driven.session.world.process('operator').state as OperatorView | undefined)?.results ?? [];
  }

  get session() {
    return this.driven.session;
  }

  get observed(): unknown {
    return this.driven.observed('operator');
  }
}

/** The same as the last time, if that went well. */
function again(world: World): readonly External[] | null {
  const last = (world.process('operator').state as OperatorView | undefined)?.results.at(-1);
  return last?.code === 0 ? [execute('operator', last.of.split(' '))] : null;
}

describe('an operator', () => {
  test('runs programs, which find the others, and notes how they end', async () => {
    const operated = await Operated.start();
    const [found] = await operated.does(execute('operator', ['printf', '%s\n', 'one', '$address.server:$port.server']));
    expect(found).toMatchObject({
      code: 0,
      isLate: false,
      output: expect.stringMatching(/^one\n127\.\d+\.\d+\.\d+:7000$/) as string,
    });
    await operated.does(execute('operator', ['sh', '-c', 'echo bad >&2; exit 3']));
    expect(operated.results.at(-1)).toEqual({
      of: 'sh -c echo bad >&2; exit 3',
      code: 3,
      output: 'bad',
      isLate: false,
    });
    expect(operated.observed).toEqual(operated.results.map((result) => ['result', result]));
  });

  test('ends a program that takes too long, with its descendants', async () => {
    const operated = await Operated.start({ withinMs: 300 });
    // A duration that nothing else sleeps for.
    const [result] = await operated.does(execute('operator', ['sh', '-c', 'sleep 98765.4321 & wait']));
    expect(result).toMatchObject({ code: null, isLate: true });
    expect(processesWith('98765.4321')).toEqual([]);
  });

  test('requests URLs', async () => {
    const seen: string[] = [];
    const server = createServer((from, to) => {
      from.setEncoding('utf8').on('data', (body: string) => seen.push(body));
      seen.push(`${from.method} ${from.url} ${String(from.headers['x-key'])}`);
      if (from.url === '/never') return;
      from.on('end', () => to.writeHead(201).end('added'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const operated = await Operated.start();
    const body = '{"deny":"h1"}';
    await operated.does(request('operator', `${url}/rules`, { method: 'PUT', headers: { 'x-key': 'k' }, body }));
    expect(seen).toEqual(['PUT /rules k', body]);
    expect(operated.results).toEqual([{ of: `PUT ${url}/rules`, code: 201, output: 'added', isLate: false }]);
    const hasty = await Operated.start({ withinMs: 200 });
    expect(await hasty.does(request('operator', `${url}/never`))).toMatchObject([{ code: null, isLate: true }]);
    server.close().closeAllConnections();
    await operated.does(request('operator', url));
    const output = expect.stringContaining('ECONNREFUSED') as string;
    expect(operated.results.at(-1)).toMatchObject({ code: null, isLate: false, output });
  });

  test('does what an action says, if the action can happen', async () => {
    const operated = await Operated.start();
    expect(operated.session.refusal(act('again'))).toBe('again cannot happen in this world');
    await operated.does(execute('operator', ['true']));
    expect((await operated.does(act('again'))).map(({ of }) => of)).toEqual(['true', 'true']);
    await operated.does(execute('operator', ['false']));
    expect(operated.session.refusal(act('again'))).toBe('again cannot happen in this world');
  });

  test('does not run what is not there', async () => {
    const operated = await Operated.start();
    await expect(operated.does(execute('operator', ['no-such-program']))).rejects.toThrow(
      'operator cannot be started: there is no program no-such-program.',
    );
    await expect(operated.does(execute('operator', ['echo', '$address.nobody']))).rejects.toThrow(
      'the command of operator uses $address.nobody, but no process is called nobody.',
    );
  });
});
