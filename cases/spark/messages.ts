/** A task as it is submitted: the partition that it reads and the worker that has it on disk. None, if it only computes. */
export interface TaskDescription {
  partition: string | null;
  host: string | null;
}

/** One try at a task: its job, its place among the job's tasks, and how many tries came before. */
export interface AttemptId {
  job: number;
  task: number;
  attempt: number;
}

type FromEnvironment =
  | { type: 'submitJob'; tasks: TaskDescription[] } // to an application
  | { type: 'submitDriver'; supervise: boolean }; // to the client

type ClientAndMaster =
  | { type: 'requestSubmitDriver'; supervise: boolean }
  | { type: 'submitDriverResponse'; driver: string | null }
  | { type: 'requestDriverStatus'; driver: string }
  | { type: 'driverStatusResponse'; status: string };

/** What a worker runs: for which applications it has executors, and which drivers. */
export interface Claims {
  executors: string[];
  drivers: string[];
}

type WorkerAndMaster =
  | { type: 'registerWorker'; cores: number; claims: Claims }
  | { type: 'registeredWorker' }
  | { type: 'heartbeat' }
  | { type: 'reconnectWorker' }
  | { type: 'launchExecutor'; application: string }
  | { type: 'executorStateChanged'; application: string }
  | { type: 'killExecutor'; application: string }
  | { type: 'launchDriver'; driver: string }
  | { type: 'driverStateChanged'; driver: string }
  | { type: 'killDriver'; driver: string }
  | { type: 'workerSchedulerStateResponse'; claims: Claims };

type ApplicationAndMaster =
  | { type: 'registerApplication' }
  | { type: 'registeredApplication' }
  | { type: 'executorAdded'; worker: string }
  | { type: 'executorUpdated'; worker: string }
  | { type: 'masterChangeAcknowledged' }
  | { type: 'applicationRemoved' };

/** A master that has recovered says so to every worker and application it finds on its disk. */
type FromMaster = { type: 'masterChanged' };

type ExecutorAndApplication =
  | { type: 'retrieveProperties' }
  | { type: 'properties'; cores: number }
  | { type: 'registerExecutor'; host: string; cores: number }
  | { type: 'launchTask'; id: AttemptId }
  | { type: 'statusUpdate'; executor: string; id: AttemptId; status: 'running' | 'finished' | 'lost' };

type WithinWorker = { type: 'driverEnded'; driver: string } | { type: 'shutDown' };

export type Message =
  | FromEnvironment
  | ClientAndMaster
  | WorkerAndMaster
  | ApplicationAndMaster
  | FromMaster
  | ExecutorAndApplication
  | WithinWorker;
