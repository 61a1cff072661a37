/** The set with the value added, or removed if it was in the set. */
export function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const changed = new Set(set);
  if (!changed.delete(value)) changed.add(value);
  return changed;
}
