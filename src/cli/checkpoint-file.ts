import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { BadCheckpoint, type SavedCheck } from '../checkpoint.ts';
import { readBytes, removeFile, replaceFile } from '../files.ts';
import { shownPath } from '../shown-path.ts';

const Saved = v.object({
  checkpoint: v.literal('culprit'),
  /** A digest of what the module and all that it imports by path were compiled to. */
  code: v.string(),
  /** A digest of `check`: a damaged file could leave out executions, and the check would say that there are none. */
  digest: v.string(),
  // What we wrote ourselves: a check looks at what it is about, and takes the same steps to see that it fits.
  check: v.custom<SavedCheck>((found) => typeof found === 'object' && found !== null && 'about' in found),
});

/** Where it is kept how far a check has come: one file for each system. */
export class CheckpointFile {
  readonly path: string;

  constructor(
    folder: string,
    module: string,
    private readonly code: string,
  ) {
    this.path = shownPath(join(folder, `${basename(module).replace(/(\.system)?\.[cm]?[jt]s$/, '')}.check`));
  }

  /** Undefined where nothing was left. */
  load(): SavedCheck | undefined {
    if (!existsSync(this.path)) return undefined;
    const { code, check } = this.read();
    if (code === this.code) return check;
    throw new BadCheckpoint(
      `the system has changed since the check that was left in ${this.path}.`,
      'What it has seen may not be so any more: check anew, with --anew.',
    );
  }

  keep(check: SavedCheck | undefined): void {
    if (check === undefined) removeFile(this.path, 'Remove it yourself, or check anew next time, with --anew.');
    else replaceFile(this.path, Buffer.from(savedText(this.code, check)));
  }

  get isThere(): boolean {
    return existsSync(this.path);
  }

  private read(): v.InferOutput<typeof Saved> {
    const saved = this.parsed();
    if (digestOf(JSON.stringify(saved.check)) === saved.digest) return saved;
    throw new BadCheckpoint(`${this.path} is damaged: it is not as a check left it.`, 'Check anew, with --anew.');
  }

  private parsed(): v.InferOutput<typeof Saved> {
    const text = readBytes(this.path, 'Check anew, with --anew.').toString();
    try {
      return v.parse(Saved, JSON.parse(text));
    } catch (error) {
      throw new BadCheckpoint(`${this.path} is not what a check leaves.`, 'Check anew, with --anew.', { cause: error });
    }
  }
}

function savedText(code: string, check: SavedCheck): string {
  const text = JSON.stringify(check);
  const head = JSON.stringify({ checkpoint: 'culprit', code, digest: digestOf(text) });
  return `${head.slice(0, -1)},"check":${text}}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
