/** The set with the value in it, or without it where it was. */
export function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const changed = new Set(set);
  if (!changed.delete(value)) changed.add(value);
  return changed;
}
