/** Parts of data that neither files nor readers of fields show. */
class OwnArray extends Array<unknown> {}
class OwnMap extends Map<unknown, unknown> {}
class OwnSet extends Set<unknown> {}

const MARK = Symbol('mark');

/** Each makes data with a hidden part; its own last step is the path of the part, as an error names it. */
export const hiddenParts = {
  symbolKey: () => ({ v: 1, [MARK]: 1 }),
  nonEnumerable: () => Object.defineProperty({ v: 1 }, 'w', { value: 1, enumerable: false, writable: true }),
  accessor: () => Object.defineProperty({ v: 1 }, 'w', { get: () => 1, enumerable: true, configurable: true }),
  arrayExtra: () => Object.assign([1], { extra: 1 }),
  mapExtra: () => Object.assign(new Map([[1, 1]]), { extra: 1 }),
  setExtra: () => Object.assign(new Set([1]), { extra: 1 }),
  ownArray: () => OwnArray.from([1]),
  ownMap: () => new OwnMap(),
  ownSet: () => new OwnSet(),
  frozen: () => Object.freeze({ v: 1 }),
} satisfies Record<string, () => object>;

export type HiddenPart = keyof typeof hiddenParts;

/** Copies of messages and disk values are new objects, which are not frozen. */
export const onlyInStates: readonly HiddenPart[] = ['frozen'];
