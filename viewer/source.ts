import type { Branch, BranchProblem, Exhibit } from 'culprit/trace';

/** The data of the page: embedded, or from its server. */
async function exhibit(): Promise<Exhibit> {
  const embedded = document.getElementById('exhibit')?.textContent ?? '';
  return embedded.trim() === '' ? fetched() : (JSON.parse(embedded) as Exhibit);
}

/** The current exhibit of the server. */
async function fetched(): Promise<Exhibit> {
  const response = await fetch(`exhibit${location.search}`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return (await response.json()) as Exhibit;
}

/** All exhibits in turn, while the command that shows them runs. */
export async function* exhibits(): AsyncGenerator<Exhibit> {
  for (let now: Exhibit | undefined = await exhibit(); now !== undefined; now = await after(now)) yield now;
}

/** The next exhibit, once it exists; undefined after the last. */
async function after(shown: Exhibit): Promise<Exhibit | undefined> {
  const { live, version = 0 } = shown;
  if (live === undefined || live.isOver) return undefined;
  const response = await fetch(`exhibit${location.search}&after=${version}`).catch(() => undefined);
  if (response === undefined) return { ...shown, live: { status: `${live.status}; culprit has ended`, isOver: true } };
  if (response.status === 204) return after(shown);
  return response.ok ? ((await response.json()) as Exhibit) : undefined;
}

/** Asks the server for a branch: that begins after so many events, or after a command. */
export async function branchFor(asked: { readonly after: number } | { readonly command: string }): Promise<Branch> {
  const what = 'after' in asked ? `after=${asked.after}` : `command=${encodeURIComponent(asked.command)}`;
  const address = `branch${location.search}&${what}`;
  const response = await fetch(address, { method: 'POST' }).catch(() => undefined);
  if (response === undefined) throw new Error('culprit has ended: start it again, and reload the page.');
  if (response.ok) return (await response.json()) as Branch;
  throw new Error(((await response.json()) as BranchProblem).problem);
}
