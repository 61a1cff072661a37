import type { Exhibit } from 'culprit/trace';

/** What to show: what is in the page itself, or else what its server has. */
async function exhibit(): Promise<Exhibit> {
  const embedded = document.getElementById('exhibit')?.textContent ?? '';
  return embedded.trim() === '' ? fetched() : (JSON.parse(embedded) as Exhibit);
}

/** What the server has now. */
async function fetched(): Promise<Exhibit> {
  const response = await fetch(`exhibit${location.search}`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return (await response.json()) as Exhibit;
}

/** One exhibit after the other, as long as the command that shows them is under way. */
export async function* exhibits(): AsyncGenerator<Exhibit> {
  for (let now: Exhibit | undefined = await exhibit(); now !== undefined; now = await after(now)) yield now;
}

/** The one that follows, when it is there; undefined where none does. */
async function after(shown: Exhibit): Promise<Exhibit | undefined> {
  const { live, version = 0 } = shown;
  if (live === undefined || live.isOver) return undefined;
  const response = await fetch(`exhibit${location.search}&after=${version}`).catch(() => undefined);
  if (response === undefined) return { ...shown, live: { status: `${live.status}; culprit has ended`, isOver: true } };
  if (response.status === 204) return after(shown);
  return response.ok ? ((await response.json()) as Exhibit) : undefined;
}
