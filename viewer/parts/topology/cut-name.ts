import { NAME_MAX } from '../../model/topology/layout.ts';

/** A name as it fits into the drawing. */
export const cutName = (name: string): string => (name.length <= NAME_MAX ? name : `${name.slice(0, NAME_MAX - 1)}…`);
