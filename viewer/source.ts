import type { Exhibit } from 'culprit/trace';

/** What to show: what is in the page itself, or else what its server has. */
export async function exhibit(): Promise<Exhibit> {
  const embedded = document.getElementById('exhibit')?.textContent ?? '';
  return embedded.trim() === '' ? fetched() : (JSON.parse(embedded) as Exhibit);
}

/** What the server has now. */
async function fetched(): Promise<Exhibit> {
  const response = await fetch(`exhibit${location.search}`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return (await response.json()) as Exhibit;
}
