/**
 * The objects that a traversal has met. Plain data is nearly always a tree, so a traversal walks it as a tree and notes
 * the objects; if it meets an object again, it walks once more, by identity. A Map of identities costs about 25 ns per
 * object. This table costs a fraction, because the traversal knows the contents of each object: only objects with equal
 * contents are compared.
 *
 * All traversals share one table, since they do not overlap. Only a getter can begin one within another: the inner one
 * is refused, and walks by identity from the start.
 */
const met: (object | undefined)[] = [];
let count = 0;
let isUnderWay = false;

/**
 * By hash: the index of the object in the list, plus the number of objects of all earlier traversals. Smaller numbers
 * are from earlier traversals and count as empty.
 */
const BITS = 12;
const table = new Int32Array(1 << BITS);
let earlier = 1;
const NUMBER_MAX = 2 ** 30;

/** Number of slots to try; objects that find no free slot go into a Set. */
const TRIED = 16;
let crowd: Set<object> | undefined;

/** False if another traversal is under way. */
export function beginTraversal(): boolean {
  if (isUnderWay) return false;
  isUnderWay = true;
  return true;
}

/** Notes an object, once its contents are known; false if the traversal has met it before. */
export function meet(object: object, hash: number): boolean {
  const place = hash >>> (32 - BITS);
  if ((table[place] as number) >= earlier) return meetBeside(object, place);
  table[place] = earlier + count;
  met[count++] = object;
  return true;
}

/** The slot is taken: by this object, or by one with equal contents. */
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
