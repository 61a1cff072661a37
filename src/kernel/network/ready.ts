import type { Internal } from '../../trace/event.ts';

/**
 * The internal events that may happen now. Sends, deliveries and timers change it in place; whatever is rare (a crash,
 * a cut, a handler that suspends) only marks it stale, and it is rebuilt from the world when next asked for.
 */
export class Ready {
  stale = true;

  constructor(public list: Internal[] = []) {}

  add(event: Internal): void {
    if (!this.stale) this.list.push(event);
  }

  remove(event: Internal): void {
    if (this.stale) return;
    const at = this.list.indexOf(event);
    if (at >= 0) this.removeAt(at);
  }

  /** The last one takes the place: the order of the list is determined by what happened, but means nothing. */
  removeAt(at: number): void {
    const last = this.list.pop() as Internal;
    if (at < this.list.length) this.list[at] = last;
  }

  replace(event: Internal, next: Internal): void {
    if (this.stale) return;
    const at = this.list.indexOf(event);
    if (at >= 0) this.list[at] = next;
  }

  replaceAt(at: number, next: Internal): void {
    this.list[at] = next;
  }

  copy(): Ready {
    const copy = new Ready(this.list.slice());
    copy.stale = this.stale;
    return copy;
  }
}
