import type { EventLine } from 'culprit/trace';

/** A cut or heal: the event, and whether it cuts. */
interface Turn {
  readonly event: number;
  readonly isCut: boolean;
}

/**
 * Which links and lanes are cut, at any event. Each heal undoes the cut of the same name; a cut or heal without links concerns
 * every link, and such a heal every lane, too.
 */
export class Cuts {
  private readonly turns = new Map<string, Turn[]>();
  private readonly ofAll: Turn[] = [];

  constructor(events: readonly EventLine[]) {
    for (const [event, line] of events.entries()) {
      if (line.kind !== 'cut' && line.kind !== 'heal') continue;
      const turn = { event, isCut: line.kind === 'cut' };
      if (line.links.length === 0) this.ofAll.push(turn);
      for (const link of line.links) {
        const key = JSON.stringify(link);
        const known = this.turns.get(key);
        if (known === undefined) this.turns.set(key, [turn]);
        else known.push(turn);
      }
    }
  }

  /** Whether nothing is delivered on a lane in this direction after the event. */
  isCut(from: string, to: string, lane: string | undefined, event: number): boolean {
    return this.isCutItself([from, to], event) || (lane !== undefined && this.isCutItself([from, to, lane], event));
  }

  private isCutItself(link: readonly string[], event: number): boolean {
    const own = lastUpTo(this.turns.get(JSON.stringify(link)) ?? [], event);
    const all = link.length === 2 ? this.ofAll : this.ofAll.filter(({ isCut }) => !isCut);
    const every = lastUpTo(all, event);
    return ((own?.event ?? -1) > (every?.event ?? -1) ? own : every)?.isCut ?? false;
  }
}

function lastUpTo(turns: readonly Turn[], event: number): Turn | undefined {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turns[middle] as Turn).event <= event) low = middle + 1;
    else high = middle;
  }
  return turns[low - 1];
}
