import type { StationNames } from './station-names.ts';

/** The fields of a message, or of the payload of an action. */
export type Fields = Readonly<Record<string, unknown>>;

/** Words for data of one type; undefined if it is something else. */
export type Wording = (given: Fields, names: StationNames) => string | undefined;

/** Only if the data has these fields: another protocol may have a type of the same name. */
export const having =
  (fields: readonly string[], wording: (given: Fields, names: StationNames) => string): Wording =>
  (given, names) =>
    fields.every((field) => given[field] !== undefined) ? wording(given, names) : undefined;
