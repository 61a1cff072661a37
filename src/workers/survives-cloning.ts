/**
 * Whether plain data is the same after it was sent to another thread. An object without a prototype would get one there, and nothing
 * else changes: maps, sets, holes, aliases and cycles stay.
 */
export const survivesCloning = (value: unknown): boolean => !hasBareObject(value, new Set());

function hasBareObject(value: unknown, seen: Set<object>): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  const within = (inner: unknown): boolean => hasBareObject(inner, seen);
  if (Array.isArray(value)) return value.some(within);
  if (value instanceof Map) return [...value].some((pair) => pair.some(within));
  if (value instanceof Set) return [...value].some(within);
  return !(value instanceof Object) || Object.values(value).some(within);
}
