import type { HiddenPart } from './hidden-parts.ts';

/** One statement of a handler. `wait`: whether it is awaited. */
export type Step =
  | { readonly do: 'count'; readonly by: number }
  | { readonly do: 'change'; readonly change: string }
  | {
      readonly do: 'send';
      readonly to: string;
      readonly word: number;
      readonly body: string | undefined;
      readonly lane: string | undefined;
    }
  | {
      readonly do: 'ask';
      readonly to: string;
      readonly word: number;
      readonly limit: boolean;
      readonly wait: boolean;
      readonly catches: boolean;
    }
  | { readonly do: 'reply'; readonly word: number }
  | { readonly do: 'sleep'; readonly wait: boolean }
  | { readonly do: 'write' | 'read'; readonly key: string; readonly wait: boolean }
  | { readonly do: 'set' | 'repeat' | 'cancel'; readonly timer: string }
  | { readonly do: 'ticks'; readonly times: number }
  | { readonly do: 'spawn' }
  | { readonly do: 'throw' }
  | { readonly do: 'hide'; readonly part: HiddenPart; readonly where: 'state' | 'message' | 'disk' }
  /** An async function of its own, called and not returned. */
  | { readonly do: 'detach'; readonly steps: readonly Step[] }
  | { readonly do: 'if'; readonly test: string; readonly steps: readonly Step[] };

export interface Handler {
  /** Async ones return their promise; `void` ones call an async function and return nothing. */
  readonly manner: 'plain' | 'async' | 'void';
  readonly steps: readonly Step[];
}

/** The script of one process. */
export interface Role {
  readonly blocking: boolean;
  readonly start: Handler;
  /** By word of the message, then whether `n` is odd. */
  readonly receive: readonly (readonly [even: Handler, odd: Handler])[];
  readonly timer: Handler;
  readonly wrote: Handler;
}

/** Whether code of this process can be suspended between two events. */
export const isAsync = ({ start, receive, timer, wrote }: Role): boolean =>
  [start, timer, wrote, ...receive.flat()].some(({ manner, steps }) => manner !== 'plain' || steps.some(isDetached));

const isDetached = (step: Step): boolean =>
  step.do === 'detach' || (step.do === 'if' && step.steps.some((inner) => isDetached(inner)));

/** The script as a user would write it. */
export function roleText(role: Role): string[] {
  const cases = role.receive.flatMap(([even, odd], word) => [
    ...handlerText(`receive ${word}, n even`, even),
    ...handlerText(`receive ${word}, n odd`, odd),
  ]);
  return [
    ...(role.blocking ? ['blocking'] : []),
    ...handlerText('start', role.start),
    ...cases,
    ...handlerText('timer', role.timer),
    ...handlerText('wrote', role.wrote),
  ];
}

function handlerText(name: string, { manner, steps }: Handler): string[] {
  if (steps.length === 0 && manner === 'plain') return [];
  const lines = steps.flatMap(stepText).map((line) => `  ${line}`);
  return [`${manner === 'plain' ? '' : `${manner} `}${name}:`, ...lines];
}

function stepText(step: Step): string[] {
  const awaited = 'wait' in step && step.wait ? 'await ' : '';
  switch (step.do) {
    case 'count':
      return [`n = (n * 3 + ${step.by}) % 5`];
    case 'change':
      return [step.change];
    case 'send':
      return [
        `send ${step.to} ${step.word}${step.body === undefined ? '' : ` with ${step.body}`}${step.lane === undefined ? '' : ` on ${step.lane}`}`,
      ];
    case 'ask':
      return [`${awaited}ask ${step.to} ${step.word}${step.limit ? ', limited' : ''}${step.catches ? ', caught' : ''}`];
    case 'reply':
      return [`reply ${step.word}`];
    case 'sleep':
      return [`${awaited}sleep`];
    case 'write':
    case 'read':
      return [`${awaited}${step.do} ${step.key}`];
    case 'set':
    case 'repeat':
    case 'cancel':
      return [`${step.do} timer ${step.timer}`];
    case 'ticks':
      return [`await null, ${step.times} times`];
    case 'hide':
      return [`${step.part} in the ${step.where}`];
    case 'detach':
      return ['void async:', ...step.steps.flatMap(stepText).map((line) => `  ${line}`)];
    case 'if':
      return [`if ${step.test}:`, ...step.steps.flatMap(stepText).map((line) => `  ${line}`)];
    default:
      return [step.do];
  }
}
