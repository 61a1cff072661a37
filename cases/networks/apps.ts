import type { AppClass } from './base/app.ts';
import { Circle } from './circle/circle.ts';
import { Forwarding } from './forwarding/forwarding.ts';
import { Hub } from './hub/hub.ts';
import { Paths } from './paths/paths.ts';
import { Routing } from './routing/routing.ts';

/** The controllers, by the name after `--app`. */
export const apps: Readonly<Record<string, AppClass>> = {
  circle: Circle,
  forwarding: Forwarding,
  hub: Hub,
  paths: Paths,
  routing: Routing,
};
