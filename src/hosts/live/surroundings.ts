import type { Io } from '../../kernel/uncontrolled/io.ts';
import { filledIn } from './command-line.ts';
import type { Place } from './connector.ts';
import { BadPlaceholder } from './errors.ts';
import { MARK } from './session/live-session.ts';

/** Variables that name folders of a user. */
const FOLDERS = 'HOME TMPDIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR'.split(' ');

/** What commands of a process find around them: the values of placeholders, and the environment. */
export class Surroundings {
  constructor(
    private readonly io: Io,
    private readonly place: Place,
    /** The path of the socket at which it speaks with culprit, if it does. */
    private readonly sync?: string,
  ) {}

  /** A text of a command with the values of its placeholders. */
  filled(text: string): string {
    return filledIn(text, (what, of) => this.valueOf(what, of));
  }

  /** The same of all words of a command. */
  words(texts: readonly string[]): string[] {
    return texts.map((text) => this.filled(text));
  }

  /** Folders of the user are out of reach: what a program keeps lies in its own folder. */
  environment(given: Readonly<Record<string, string>>, mark: string): Record<string, string> {
    const filled = Object.entries(given).map(([name, value]): [string, string] => [name, this.filled(value)]);
    const folders = FOLDERS.map((name): [string, string] => [name, this.place.dir]);
    const usual: [string, string][] = [
      ['PATH', process.env['PATH'] ?? ''],
      ['LANG', 'C.UTF-8'],
    ];
    return Object.fromEntries([...usual, ...folders, ...filled, [MARK, mark]]);
  }

  /** The value of a placeholder; undefined for a text that is none. */
  private valueOf(what: string, of: string | undefined): string | undefined {
    const { place } = this;
    // After the name or the folder, a point is a part of the text.
    if (what === 'dir' || what === 'name') return `${place[what]}${of === undefined ? '' : `.${of}`}`;
    if (what === 'sync') return this.syncPath(of);
    if (what !== 'address' && what !== 'port') return undefined;
    const endpoint = of === undefined ? place.own : place.announced(of);
    if (endpoint === undefined) throw this.noEndpoint(what, of);
    return String(endpoint[what]);
  }

  private syncPath(of: string | undefined): string {
    if (this.sync !== undefined) return `${this.sync}${of === undefined ? '' : `.${of}`}`;
    throw new BadPlaceholder(this.place.name, '$sync', `it has no \`inside\``, 'Give it `inside: {}`.');
  }

  private noEndpoint(what: string, of: string | undefined): BadPlaceholder {
    const { name } = this.place;
    if (of === undefined) return new BadPlaceholder(name, `$${what}`, `${name} has no port`);
    const why = this.io.declared.has(of) ? `${of} has no port` : `no process is called ${of}`;
    return new BadPlaceholder(name, `$${what}.${of}`, why);
  }
}
