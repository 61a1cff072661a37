/** The body of a Maelstrom message. Between nodes, any other fields are allowed. */
export interface Body {
  /** What the message asks for, or answers: `broadcast`, `read_ok`. */
  readonly type: string;
  /** Unique among the messages of a sender. */
  readonly msg_id?: number;
  /** The `msg_id` of the request that this body answers. */
  readonly in_reply_to?: number;
  readonly [field: string]: unknown;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The reason why a value is not the body of a message; undefined if it is one. */
export function whyNoBody(value: unknown): string | undefined {
  if (!isObject(value)) return 'a body is an object';
  if (typeof value['type'] !== 'string' || value['type'] === '') return 'a body has a type, which is a text';
  const wrong = ['msg_id', 'in_reply_to'].find((name) => value[name] !== undefined && !Number.isInteger(value[name]));
  return wrong === undefined ? undefined : `${wrong} is a whole number`;
}

/** The answer to a request, without the fields that number messages. */
export function withoutNumbers({ msg_id: _id, in_reply_to: _request, ...body }: Body): Body {
  return body;
}

const SHOWN = 80;

/** Data in a few characters, for messages. */
export function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}
