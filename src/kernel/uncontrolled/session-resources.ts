import type { World } from '../world.ts';

/** Something that processes of one session share, such as a folder or a range of addresses. It ends with the session. */
export interface SessionResource {
  /** Looks at the world after every event, such as for links that are cut. */
  afterEvent?(world: World): void;
  close(): void | Promise<void>;
}

/** The resources of one session. */
export class SessionResources {
  private readonly opened = new Map<() => SessionResource, SessionResource>();

  /** Opens the resource at the first call; later calls of the session with the same function get the same one. */
  of<R extends SessionResource>(open: () => R): R {
    // The function is the key, so what it opened has its type.
    const known = this.opened.get(open) as R | undefined;
    if (known !== undefined) return known;
    const resource = open();
    this.opened.set(open, resource);
    return resource;
  }

  get isEmpty(): boolean {
    return this.opened.size === 0;
  }

  afterEvent(world: World): void {
    for (const resource of this.opened.values()) resource.afterEvent?.(world);
  }

  /** Closes all of them, also if closing one fails; then throws the first error. */
  async close(): Promise<void> {
    const results = await Promise.allSettled([...this.opened.values()].map(async (resource) => await resource.close()));
    this.opened.clear();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
