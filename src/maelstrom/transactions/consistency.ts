/** What transactions promise, the least first. */
export const consistencyModels = ['read-uncommitted', 'read-committed', 'serializable', 'strict-serializable'] as const;

/** What transactions promise: a consistency model that is checked. */
export type ConsistencyModel = (typeof consistencyModels)[number];

/** The models by the first that forbids an anomaly; those that are not listed are forbidden by all. */
const forbiddenFrom: ReadonlyMap<string, ConsistencyModel> = new Map([
  ['G1a', 'read-committed'],
  ['G1b', 'read-committed'],
  ['G1c', 'read-committed'],
  ['internal', 'serializable'],
  ['G-single', 'serializable'],
  ['G2', 'serializable'],
]);

/** Whether a model forbids an anomaly. One that needs the order of real time is forbidden by the strictest model only. */
export function forbids(model: ConsistencyModel, anomaly: string): boolean {
  if (anomaly.endsWith('-realtime')) return model === 'strict-serializable';
  const first = forbiddenFrom.get(anomaly) ?? 'read-uncommitted';
  return consistencyModels.indexOf(model) >= consistencyModels.indexOf(first);
}
