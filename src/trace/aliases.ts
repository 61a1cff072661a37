/**
 * The objects that a traversal meets. Plain data is a tree nearly always, so a traversal walks it as one and notes what it meets;
 * one that meets an object for the second time walks again, by identity. A Map of identities costs some 25 ns an object. The table
 * here costs a fraction, because the traversal knows the contents of each object: only objects with equal contents are compared.
 *
 * There is one table for all, as traversals are never under way side by side. Only a getter can begin one within another: that
 * one is turned away, and walks by identity at once.
 */
const met: (object | undefined)[] = [];
let count = 0;
let isUnderWay = false;

/**
 * Which object was met with a hash, by its place in the list plus what all earlier traversals met: smaller numbers are theirs, and
 * stand for nothing.
 */
const BITS = 12;
const table = new Int32Array(1 << BITS);
let earlier = 1;
const NUMBER_MAX = 2 ** 30;

/** So many places of the table are tried; objects that find none free go into a Set. */
const TRIED = 16;
let crowd: Set<object> | undefined;

/** False where another traversal is under way. */
export function beginTraversal(): boolean {
  if (isUnderWay) return false;
  isUnderWay = true;
  return true;
}

/** Notes an object, once its contents are known; false where the traversal has met it before. */
export function meet(object: object, hash: number): boolean {
  const place = hash >>> (32 - BITS);
  if ((table[place] as number) >= earlier) return meetBeside(object, place);
  table[place] = earlier + count;
  met[count++] = object;
  return true;
}

/** The place is taken: by this object, or by one like it. */
function meetBeside(object: object, taken: number): boolean {
  for (let tried = 0; tried < TRIED; tried++) {
    const place = (taken + tried) & (table.length - 1);
    const at = (table[place] as number) - earlier;
    if (at < 0) {
      table[place] = earlier + count;
      met[count++] = object;
      return true;
    }
    if (met[at] === object) return false;
  }
  crowd ??= new Set();
  const { size } = crowd;
  return crowd.add(object).size > size;
}

export function endTraversal(): void {
  isUnderWay = false;
  crowd = undefined;
  earlier += count;
  count = 0;
  if (earlier > NUMBER_MAX) {
    table.fill(0);
    earlier = 1;
  }
}
