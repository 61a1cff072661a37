import type { Debugger, Runtime, Session } from 'node:inspector';
import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where a function is written, in the file that its author edits. */
export interface FunctionPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

type AnyFunction = (...args: never) => unknown;

/**
 * Where functions are written, one by one. A bound function is where the function is that it calls. Undefined for those that have
 * no place in a file (native ones, Proxies, code made from text) and for those that a compiler has added.
 */
export async function functionPlaces(functions: readonly AnyFunction[]): Promise<(FunctionPlace | undefined)[]> {
  if (functions.length === 0 || !process.features.inspector) return functions.map(() => undefined);
  // Loaded only now: a Node without it runs everything else.
  const { Session: NewSession } = await import('node:inspector');
  const session = new NewSession();
  session.connect();
  try {
    return located(new Inspector(session), functions);
  } finally {
    // What is found out of objects would keep them, and the debugger would keep code slow.
    session.disconnect();
  }
}

/** Scripts see globals alone, so the functions are left under a key for the moment of the question. */
const KEY = Symbol.for('culprit.functions');

function located(inspector: Inspector, functions: readonly AnyFunction[]): (FunctionPlace | undefined)[] {
  const globals = globalThis as { [KEY]?: readonly AnyFunction[] };
  globals[KEY] = functions;
  try {
    const objects = inspector.elementsOf(`globalThis[Symbol.for(${JSON.stringify(KEY.description)})]`);
    const locations = functions.map((_, at) => inspector.locationOf(objects.get(String(at))));
    const scripts = inspector.scripts();
    return locations.map((location) => location && placeOf(location, scripts.get(location.scriptId)));
  } finally {
    delete globals[KEY];
  }
}

/** Asks V8's inspector, which answers at once in the same thread. */
class Inspector {
  constructor(private readonly session: Session) {}

  /** The elements of the list that an expression gives, by index. */
  elementsOf(expression: string): ReadonlyMap<string, Runtime.RemoteObject> {
    const list = this.ask<Runtime.EvaluateReturnType>('Runtime.evaluate', { expression });
    const { result = [] } = this.propertiesOf(list?.result);
    return new Map(result.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
  }

  /** Where the code of a function begins: that of the one it is bound to, where it is bound. */
  locationOf(object: Runtime.RemoteObject | undefined): Debugger.Location | undefined {
    for (let at = object; at?.type === 'function';) {
      const { internalProperties = [] } = this.propertiesOf(at);
      const internal = (name: string): Runtime.RemoteObject | undefined =>
        internalProperties.find((property) => property.name === name)?.value;
      const location = internal('[[FunctionLocation]]');
      if (location !== undefined) return location.value as Debugger.Location;
      at = internal('[[TargetFunction]]');
    }
    return undefined;
  }

  /** All scripts by their ids. Only a debugger gets the list, and while there is one, V8 undoes optimizations. */
  scripts(): ReadonlyMap<string, Debugger.ScriptParsedEventDataType> {
    const scripts = new Map<string, Debugger.ScriptParsedEventDataType>();
    this.session.on('Debugger.scriptParsed', ({ params }) => void scripts.set(params.scriptId, params));
    this.ask('Debugger.enable');
    this.ask('Debugger.disable');
    return scripts;
  }

  private propertiesOf(object: Runtime.RemoteObject | undefined): Partial<Runtime.GetPropertiesReturnType> {
    const { objectId } = object ?? {};
    if (objectId === undefined) return {};
    return this.ask<Runtime.GetPropertiesReturnType>('Runtime.getProperties', { objectId, ownProperties: true }) ?? {};
  }

  /** Undefined where the inspector refuses. */
  private ask<T>(method: string, params: object = {}): T | undefined {
    let answer: T | undefined;
    this.session.post(method, params, (_refusal, given) => {
      answer = given as T | undefined;
    });
    return answer;
  }
}

function placeOf(
  { lineNumber, columnNumber = 0 }: Debugger.Location,
  script: Debugger.ScriptParsedEventDataType | undefined,
): FunctionPlace | undefined {
  // Code that says itself what it is called may be any code.
  if (script === undefined || script.hasSourceURL === true || !script.url.startsWith('file:')) return undefined;
  const map = findSourceMap(script.url);
  if (map === undefined) {
    // Compiled by somebody who keeps the map to himself, as test runners do: the line is none of the file's.
    const isCompiled = (script.sourceMapURL ?? '') !== '';
    return isCompiled ? undefined : { file: fileURLToPath(script.url), line: lineNumber + 1 };
  }
  const entry = map.findEntry(lineNumber, columnNumber);
  // The nearest entry before it may be that of other code: a compiler's own code has none.
  if (!('originalSource' in entry) || entry.generatedLine !== lineNumber) return undefined;
  const { originalSource, originalLine } = entry;
  if (typeof originalSource !== 'string' || !originalSource.startsWith('file:')) return undefined;
  return { file: fileURLToPath(originalSource), line: originalLine + 1 };
}
