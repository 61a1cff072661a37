import * as v from 'valibot';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { aboutDifference, BadCheckpoint, type SavedCheck } from '../check/checkpoint.ts';
import { CulpritError } from '../error.ts';
import { namesIfReadable, readBytes, removeFile, replaceFile } from '../files/access.ts';
import { shownPath } from '../text/shown-path.ts';
import { FileProblem } from '../files/file-problem.ts';
import { NotSaved } from './output/not-saved.ts';
import { labeled, printErrorLines } from './output/lines.ts';

const Saved = v.object({
  checkpoint: v.literal('culprit'),
  /** A digest of the compiled module and of everything that it imports by path. */
  code: v.string(),
  /** A digest of `check`: with a damaged file, the check could skip executions and report that there are none. */
  digest: v.string(),
  // Our own data: the check compares its options, and takes the same steps to see that the checkpoint fits.
  check: v.custom<SavedCheck>((found) => typeof found === 'object' && found !== null && 'about' in found),
});

type CheckpointContent = v.InferOutput<typeof Saved>;

/** The options of a check, by which its checkpoint is found again. */
interface AskedCheck {
  readonly module: string;
  /** See `LoadedSystem.code`. */
  readonly code: string;
  readonly about: SavedCheck['about'];
}

/** The number of digits of the digest in the name of the file. */
const DIGITS = 8;

/** The checkpoint file of a check: one for each system with its parameters, bounds and search. */
export class CheckpointFile {
  readonly path: string;
  private readonly stem: string;

  constructor(
    private readonly folder: string,
    private readonly asked: AskedCheck,
  ) {
    this.stem = basename(asked.module).replace(/(\.system)?\.[cm]?[jt]s$/, '');
    // The name leaves out the version of culprit: a checkpoint of another version is replaced.
    const { culprit: _version, ...about } = asked.about;
    const digest = createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, DIGITS);
    this.path = shownPath(join(folder, `${this.stem}-${digest}.check`));
  }

  /** The checkpoint of this check, or why it cannot be used. */
  load(): { readonly from?: SavedCheck; readonly stale?: string } {
    if (!existsSync(this.path)) return {};
    const { code, check } = contentOf(this.path);
    if (code !== this.asked.code) return { stale: 'the system has changed' };
    const difference = aboutDifference(this.asked.about, check.about);
    return difference === undefined
      ? { from: check }
      : { stale: `it was made with ${difference.what} ${difference.was}, not ${difference.is}` };
  }

  /** Checkpoints of other checks of the same system: the file, and the first option that differs. */
  others(): { readonly path: string; readonly had: string }[] {
    const isLike = (name: string): boolean => name.startsWith(`${this.stem}-`) && name.endsWith('.check');
    return namesIfReadable(this.folder)
      .filter(isLike)
      .map((name) => shownPath(join(this.folder, name)))
      .filter((path) => path !== this.path)
      .sort()
      .flatMap((path) => {
        const about = aboutIn(path);
        if (about?.['system'] !== this.asked.about['system']) return [];
        const difference = aboutDifference(this.asked.about, about ?? {});
        return difference === undefined ? [] : [{ path, had: `${difference.what} ${difference.was}` }];
      });
  }

  keep(check: SavedCheck | undefined): void {
    if (check === undefined) removeFile(this.path, 'Remove it yourself, or start over next time with --fresh.');
    else replaceFile(this.path, Buffer.from(savedText(this.asked.code, check)));
  }

  get exists(): boolean {
    return existsSync(this.path);
  }
}

function contentOf(path: string): CheckpointContent {
  const saved = parsed(path);
  if (digestOf(JSON.stringify(saved.check)) === saved.digest) return saved;
  throw new BadCheckpoint(`${path} is damaged: its digest does not match its contents.`, 'Start over with --fresh.');
}

function parsed(path: string): CheckpointContent {
  const text = readBytes(path, 'Start over with --fresh.').toString();
  try {
    return v.parse(Saved, JSON.parse(text));
  } catch (error) {
    throw new BadCheckpoint(`${path} is not a checkpoint of a check.`, 'Start over with --fresh.', { cause: error });
  }
}

/** The options of another check's file; undefined if it cannot be read, which does not concern this check. */
function aboutIn(path: string): SavedCheck['about'] | undefined {
  try {
    return contentOf(path).check.about;
  } catch (error) {
    if (error instanceof CulpritError) return undefined;
    throw error;
  }
}

function savedText(code: string, check: SavedCheck): string {
  const text = JSON.stringify(check);
  const head = JSON.stringify({ checkpoint: 'culprit', code, digest: digestOf(text) });
  return `${head.slice(0, -1)},"check":${text}}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Saves the progress of a check. A full disk does not end the check: the problem is reported immediately, and again at
 * the end.
 */
export class CheckpointSaver {
  problem: FileProblem | undefined;
  private isReported = false;

  constructor(private readonly file: CheckpointFile) {}

  keep(check: SavedCheck | undefined): void {
    try {
      this.file.keep(check);
      this.problem = undefined;
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      this.problem = error;
      this.report(error);
    }
  }

  /** Throws if the rest of the check is lost. */
  mustBeSaved(): void {
    if (this.problem !== undefined) throw new NotSaved(this.problem, 'The checkpoint is not saved.');
  }

  private report({ message }: FileProblem): void {
    if (!this.isReported) printErrorLines(labeled('unsaved', `${message} The check continues.`));
    this.isReported = true;
  }
}
