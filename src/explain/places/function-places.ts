import type { Debugger, Runtime, Session } from 'node:inspector';
import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The place of a function in the file that its author edits. */
export interface FunctionPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

type AnyFunction = (...args: never) => unknown;

/**
 * Finds the places of functions. A bound function has the place of the function that it calls. Undefined for functions
 * without a place in a file (native functions, proxies, code made from text) and for functions added by a compiler.
 */
export async function functionPlaces(functions: readonly AnyFunction[]): Promise<(FunctionPlace | undefined)[]> {
  if (functions.length === 0 || !process.features.inspector) return functions.map(() => undefined);
  // Imported late, because Node can be built without it, and the rest of culprit works then.
  const { Session: NewSession } = await import('node:inspector');
  const session = new NewSession();
  session.connect();
  try {
    return located(new Inspector(session), functions);
  } finally {
    // Handles would keep objects from being collected, and a debugger keeps code slow.
    session.disconnect();
  }
}

/** Scripts see globals only, so the functions are stored under this key during the query. */
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

/** Queries V8's inspector, which answers synchronously in the same thread. */
class Inspector {
  constructor(private readonly session: Session) {}

  /** The elements of the list that an expression gives, by index. */
  elementsOf(expression: string): ReadonlyMap<string, Runtime.RemoteObject> {
    const list = this.ask<Runtime.EvaluateReturnType>('Runtime.evaluate', { expression });
    const { result = [] } = this.propertiesOf(list?.result);
    return new Map(result.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
  }

  /** The start of a function's code; for a bound function, the code of its target. */
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

  /**
   * All scripts by id. Only a debugger gets this list, and V8 runs optimized code more slowly while a debugger is
   * attached.
   */
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

  /** Undefined if the inspector refuses. */
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
  // Code with a `sourceURL` chooses its own name, so the name proves nothing.
  if (script === undefined || script.hasSourceURL === true || !script.url.startsWith('file:')) return undefined;
  const map = findSourceMap(script.url);
  if (map === undefined) {
    // A compiler that keeps its source map in memory, as test runners do: the line is not one of the file.
    const isCompiled = (script.sourceMapURL ?? '') !== '';
    return isCompiled ? undefined : { file: fileURLToPath(script.url), line: lineNumber + 1 };
  }
  const entry = map.findEntry(lineNumber, columnNumber);
  // The nearest entry before it may belong to other code: code added by a compiler has no entry.
  if (!('originalSource' in entry) || entry.generatedLine !== lineNumber) return undefined;
  const { originalSource, originalLine } = entry;
  if (typeof originalSource !== 'string' || !originalSource.startsWith('file:')) return undefined;
  return { file: fileURLToPath(originalSource), line: originalLine + 1 };
}
