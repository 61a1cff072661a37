/**
 * A function of an object that is evaluated once for each of them. Executions of one system come in a row, so the latest answer is kept at
 * hand: looking it up takes as long as a small event.
 */
export function oncePer<K extends object, V>(evaluate: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  let latest: { readonly key: K; readonly value: V } | undefined;
  const lookUp = (key: K): V => {
    const value = known.has(key) ? (known.get(key) as V) : evaluate(key);
    known.set(key, value);
    latest = { key, value };
    return value;
  };
  return (key) => (latest?.key === key ? latest.value : lookUp(key));
}
