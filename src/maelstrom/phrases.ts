import type { AnyPhrases } from '../system/phrases.ts';
import type { ClientState } from './client.ts';
import type { ControlState } from './control.ts';
import { brief, whyNoBody, withoutNumbers, type Body } from './protocol/body.ts';
import { CONTROL } from './protocol/names.ts';

/**
 * Words for stories. The numbers of messages and the counters of clients say nothing to a reader: what clients call and what returns is in
 * the history. Of the control process, what it reads at the end matters.
 */
export const maelstromPhrases = (clients: readonly string[]): AnyPhrases => ({
  messageName: (message) => (whyNoBody(message) === undefined ? nameOf(message as Body) : undefined),
  timer(_timer, process) {
    if (process === CONTROL) return 'lets the nodes settle';
    return clients.includes(process) ? 'waits no longer' : undefined;
  },
  state: (state, process) =>
    [CONTROL, ...clients].includes(process) && isNew(state as ControlState | ClientState) ? 'idle' : undefined,
  changes(before, after, process) {
    if (process === CONTROL) return [...problemsIn(before, after), ...readsIn(before, after)];
    return clients.includes(process) ? problemsIn(before, after) : undefined;
  },
});

/** `broadcast (message 4)` */
function nameOf(body: Body): string {
  const { type, ...fields } = withoutNumbers(body);
  const texts = Object.entries(fields).map(([name, value]) => `${name} ${brief(value)}`);
  return texts.length === 0 ? type : `${type} (${texts.join(', ')})`;
}

/** Whether nothing was read, or called. */
const isNew = (state: ControlState | ClientState): boolean =>
  'memory' in state ? state.open === null && state.queue.length === 0 : state.ticks === undefined;

/** What is known of the final states of nodes, where that is new. */
function readsIn(before: unknown, after: unknown): string[] {
  const [known = {}, found = {}] = [before, after].map((state) => (state as ControlState | undefined)?.final);
  return Object.keys(found)
    .filter((node) => brief(found[node]) !== brief(known[node]))
    .map((node) => `${node} has ${brief(found[node])}`);
}

/** The problems that were noted. */
function problemsIn(before: unknown, after: unknown): string[] {
  const [known = [], found = []] = [before, after].map(
    (state) => (state as ControlState | ClientState | undefined)?.problems,
  );
  return found.slice(known.length).map(({ node, text }) => `${node} ${text}`);
}
