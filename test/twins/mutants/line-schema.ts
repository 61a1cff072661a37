import { readFileSync } from 'node:fs';

/** The part of JSON Schema that the published schema of traces uses. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | readonly Schema[];
}

/** Every shape of a line: includes event kinds that are added later. */
export const lineSchemas: readonly Schema[] = shapesOf(
  JSON.parse(readFileSync(new URL('../../../schema/trace-1.json', import.meta.url), 'utf8')) as Schema,
);

function shapesOf(schema: Schema): readonly Schema[] {
  const several = alternatives(schema);
  return several === undefined ? [schema] : several.flatMap(shapesOf);
}

export function alternatives({ anyOf, oneOf }: Schema): readonly Schema[] | undefined {
  return anyOf ?? oneOf;
}

/** The shape of a line, by its constant fields. */
export const shapeOf = (line: Readonly<Record<string, unknown>>): Schema | undefined =>
  lineSchemas.find(({ properties = {} }) =>
    Object.entries(properties).every(([name, field]) => {
      if (field.const !== undefined) return line[name] === field.const;
      return name !== 'kind' || field.enum === undefined || field.enum.includes(line[name]);
    }),
  );
