import type { AppClass } from './base/app.ts';
import { Balancer } from './balancer/balancer.ts';
import { Cluster } from './cluster/cluster.ts';
import { Store } from './cluster/store.ts';
import { Circle } from './circle/circle.ts';
import { Forwarding } from './forwarding/forwarding.ts';
import { Hub } from './hub/hub.ts';
import { Paths } from './paths/paths.ts';
import { Routing } from './routing/routing.ts';
import { Threaded } from './threads/threaded.ts';

/** The controllers, by the name after `--app`. */
export const apps: Readonly<Record<string, AppClass>> = {
  balancer: Balancer,
  cluster: Cluster,
  circle: Circle,
  forwarding: Forwarding,
  hub: Hub,
  paths: Paths,
  routing: Routing,
  store: Store,
  threads: Threaded,
};
