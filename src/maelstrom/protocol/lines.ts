import { jsonOf, NoMessage, type LineCodec } from '../../hosts/live/stdio/line-codec.ts';
import { isObject, whyNoBody } from './body.ts';

/** The lines of a program that speaks Maelstrom's protocol: `{"src": "n1", "dest": "n2", "body": {…}}`, in both directions. */
export const maelstromLines = (): LineCodec => ({
  decode(line, self) {
    const message = jsonOf(line, self);
    if (!isObject(message)) throw new NoMessage(self, line, 'it is not an object with src, dest and body');
    for (const name of ['src', 'dest'])
      if (typeof message[name] !== 'string') throw new NoMessage(self, line, `its ${name} is no text`);
    const why = whyNoBody(message['body']);
    if (why !== undefined) throw new NoMessage(self, line, why);
    return { to: message['dest'] as string, message: message['body'] };
  },
  encode: (body, from, self) => JSON.stringify({ src: from, dest: self, body }),
});
