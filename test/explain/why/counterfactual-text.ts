import { explainWhy, minimize, type System } from 'culprit';
import type { ExplainWhyOptions } from 'culprit/kernel';
import type { Counterfactual, Trace, Why } from 'culprit/trace';
import { found } from '../../found.ts';

export const minimal = async (system: System): Promise<Trace> => (await minimize(system, await found(system))).trace;

/** `9<5 holds -11`: the moved event and its place, the outcome, and the events that could not happen then. */
const textOf = ({ change, event, before, along = [], outcome, isDelayed, absent }: Counterfactual): string =>
  [
    `${event}${change === 'without' ? '' : change === 'earlier' ? `<${before ?? 0}` : '<+'}`,
    ...(along.length === 0 ? [] : [`with ${along.join()}`]),
    isDelayed === true ? 'later' : outcome,
    ...(absent.length === 0 ? [] : [`-${absent.join()}`]),
  ].join(' ');

export const only = (change: Counterfactual['change'], { counterfactuals }: Why): string[] =>
  counterfactuals.filter((one) => one.change === change).map(textOf);

export const violatedIn = ({ odds }: Why): number[] => odds.map(({ violated }) => violated);

export const explained = async (system: System, options: ExplainWhyOptions = {}): Promise<Why> =>
  explainWhy(system, await minimal(system), options);
