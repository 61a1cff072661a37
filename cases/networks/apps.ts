import type { AppClass } from './base/app.ts';
import { Hub } from './hub/hub.ts';
import { Paths } from './paths/paths.ts';

/** The controllers, by the name after `--app`. */
export const apps: Readonly<Record<string, AppClass>> = { hub: Hub, paths: Paths };
