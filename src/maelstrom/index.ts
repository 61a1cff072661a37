/** Maelstrom's protocol: nodes in any language, with its workloads, services and checks. */
export { maelstrom, type MaelstromParts } from './maelstrom.ts';
export type { MaelstromOptions, NodeFaults, Settle } from './options.ts';
export type { Body } from './protocol/body.ts';
export { maelstromLines } from './protocol/lines.ts';
export { services, type ServiceName } from './services/services.ts';
export type { ConsistencyModel } from './transactions/consistency.ts';
export type { WorkloadName } from './workloads/workloads.ts';
