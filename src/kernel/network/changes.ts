import type { Internal, Spawn } from '../../trace/event.ts';

/** A change of a list in place. */
type Step = 'added' | 'removed' | 'replaced';

/** A list that is filled and emptied all the time: it keeps its room, which an array does not. */
export class Notes<T> {
  count = 0;

  constructor(private readonly items: T[] = []) {}

  copy(): Notes<T> {
    const copy = new Notes(this.items.slice(0, this.count));
    copy.count = this.count;
    return copy;
  }

  add(item: T): void {
    this.items[this.count++] = item;
  }

  at(place: number): T {
    return this.items[place] as T;
  }
}

/** The changes since the list of a large world was last in order. A part of the world may be noted twice. */
export class Changes {
  constructor(
    /** Numbers of channels. */
    readonly channels = new Notes<number>(),
    /** Places of processes: all channels to them. */
    readonly receivers = new Notes<number>(),
    /** Places of processes: their timers and operations. */
    readonly processes = new Notes<number>(),
    /** Spawns that were requested, or happened. */
    readonly spawns = new Notes<Spawn>(),
    /** The changes of the list in place: the step, the place, and the event that was there before. */
    private readonly steps = new Notes<Step>(),
    private readonly places = new Notes<number>(),
    private readonly before = new Notes<Internal | undefined>(),
  ) {}

  copy(): Changes {
    const { channels, receivers, processes, spawns, steps, places, before } = this;
    return new Changes(
      channels.copy(),
      receivers.copy(),
      processes.copy(),
      spawns.copy(),
      steps.copy(),
      places.copy(),
      before.copy(),
    );
  }

  get count(): number {
    return this.channels.count + this.receivers.count + this.processes.count + this.spawns.count + this.steps.count;
  }

  noteStep(step: Step, place: number, before: Internal | undefined): void {
    this.steps.add(step);
    this.places.add(place);
    this.before.add(before);
  }

  /** Takes the steps back, so that the list is as it was when it was last in order. */
  takeBack(list: Internal[]): void {
    for (let at = this.steps.count - 1; at >= 0; at--) {
      const step = this.steps.at(at);
      const place = this.places.at(at);
      if (step === 'added') list.pop();
      else {
        if (step === 'removed' && place < list.length) list.push(list[place] as Internal);
        list[place] = this.before.at(at) as Internal;
      }
    }
  }

  clear(): void {
    this.channels.count = 0;
    this.receivers.count = 0;
    this.processes.count = 0;
    this.spawns.count = 0;
    this.steps.count = 0;
    this.places.count = 0;
    this.before.count = 0;
  }
}
