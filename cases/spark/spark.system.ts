import { crash, defineSystem, restart } from 'culprit';
import { applicationWith } from './application.ts';
import { bugCalled } from './bug.ts';
import { client } from './client.ts';
import { driver } from './driver.ts';
import { executor, taskRunner } from './executor.ts';
import { executorsAreNotOverbooked, nearestFirst, workersAreNotOverbooked } from './invariants.ts';
import { delivers, launches } from './marks.ts';
import { masterWith } from './master.ts';
import { worker } from './worker.ts';
import { workloadOf } from './workload.ts';

/** Spark's standalone cluster, as far as three of its bugs need it. README.md says what they are. */
export default defineSystem(
  { bug: 'none', applications: 1, workers: 3, jobs: 4, drivers: 2, failovers: 1 },
  ({ bug: name, ...amounts }) => {
    const bug = bugCalled(name);
    const application = applicationWith(bug);
    return defineSystem({
      name: 'spark',
      processes: { master: masterWith(bug), client },
      kinds: { application: () => application, worker: () => worker, executor, taskRunner, driver },
      // A crash breaks connections: what is on its way in either direction is lost.
      transport: { onCrash: { to: 'drop', from: 'drop' } },
      // One external and not two, so that no part of it can be left out: a master that stays down hides every bug.
      actions: { failover: () => [crash('master'), restart('master')] },
      workload: workloadOf(amounts),
      invariants: {
        nearestFirst: (world) => nearestFirst(world.up(application)),
        workersAreNotOverbooked: (world) => workersAreNotOverbooked(world.up(worker)),
        executorsAreNotOverbooked: (world) => executorsAreNotOverbooked(world.up(application)),
      },
      sometimes: {
        launchesProcessLocal: (world) => launches(world.up(application), 'PROCESS_LOCAL'),
        launchesNodeLocal: (world) => launches(world.up(application), 'NODE_LOCAL'),
        launchesFarAway: (world) => launches(world.up(application), 'ANY'),
        launchesCopy: (world) => launches(world.up(application), 'SPECULATIVE'),
        finishesJob: (world) => world.up(application).some(({ state }) => state.submitted > state.jobs.size),
        recovers: (world) => world.process('master').restarts > 0 && world.process('master').state?.status === 'alive',
        reconnectsWorker: ({ last }) => delivers(last, 'reconnectWorker'),
        removesApplication: ({ last }) => delivers(last, 'applicationRemoved'),
        killsExecutor: ({ last }) => delivers(last, 'killExecutor'),
        killsDriver: ({ last }) => delivers(last, 'killDriver'),
      },
    });
  },
);
