import { sameDigest, type Digest } from '../../trace/digest.ts';
import type { Internal } from '../../trace/event.ts';

/** In a list up to this long, looking at each event is fast enough. */
const LONG = 4096;

/** So many events are looked for one by one before an index is made: it takes as long to make as some ten of them. */
const SEARCHES = 10;

/**
 * Finds events of a long list by identity, and knows those that are not in it. It is made when it is of use, follows every change of the
 * list that is in place, and is dropped when the list is put in order.
 */
export class EventIndex {
  private events: Map<number, Internal> | undefined;
  private searches = 0;

  /** The event of that identity in the list. */
  find(list: readonly Internal[], wanted: Digest): Internal | undefined {
    if (this.events === undefined && list.length > LONG && ++this.searches > SEARCHES) this.events = indexOf(list);
    if (this.events === undefined) return list.find((event) => sameDigest(event, wanted));
    const found = this.events.get(keyOf(wanted));
    return found !== undefined && sameDigest(found, wanted) ? found : undefined;
  }

  /** One event came into the list, or left it, or another took its place. */
  change(gone: Internal | undefined, come: Internal | undefined): void {
    if (this.events === undefined) return;
    if (gone !== undefined) this.events.delete(keyOf(gone));
    if (come === undefined) return;
    const key = keyOf(come);
    // One of them would hide the other.
    if (this.events.has(key)) this.events = undefined;
    else this.events.set(key, come);
  }
}

/** Undefined if two events have the same key: then one of them would hide the other. */
function indexOf(list: readonly Internal[]): Map<number, Internal> | undefined {
  const events = new Map(list.map((event) => [keyOf(event), event]));
  return events.size === list.length ? events : undefined;
}

/** As much of an identity as a number holds. */
const keyOf = ({ hi, lo }: Digest): number => (hi & 0x1fffff) * 2 ** 32 + (lo >>> 0);
