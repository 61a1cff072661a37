import type { StartPool } from '../workers/pool.ts';
import { connectBroker, type Broker } from './broker.ts';
import { FleetPool } from './fleet-pool.ts';

/** A coordinator's connection to the workers of other machines. */
export class Fleet {
  private constructor(private readonly broker: Broker) {}

  static async connect(url: string): Promise<Fleet> {
    return new Fleet(await connectBroker(url));
  }

  /** Hands the jobs of a search to the workers. */
  readonly start: StartPool = (jobs, { assignment }) => new FleetPool(this.broker, jobs, assignment);

  end(): void {
    this.broker.redis.disconnect();
  }
}
