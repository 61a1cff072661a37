import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { CulpritError } from '../error.ts';
import { readBytes } from '../files/access.ts';
import { foldersAbove } from '../files/module-path.ts';
import { shownPath } from '../text/shown-path.ts';

/** A package.json that is missing or cannot be parsed. */
class BadPackage extends CulpritError {
  readonly code = 'BAD_PACKAGE';
}

const texts = v.optional(v.record(v.string(), v.string()), {});

const Manifest = v.object({
  type: v.optional(v.string(), 'commonjs'),
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
});

/** The fields of a package.json that matter here. */
type Manifest = v.InferOutput<typeof Manifest>;

export interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The package of a folder; the folder itself need not exist yet. */
export function packageAround(folder: string): Package {
  const found = [...foldersAbove(folder)].find((at) => existsSync(join(at, 'package.json')));
  if (found !== undefined) return { folder: found, manifest: readManifest(join(found, 'package.json')) };
  throw new BadPackage(
    `there is no package.json in ${shownPath(folder) || 'this folder'} or above it.`,
    'Make a package first: npm init -y && npm install --save-dev culprit',
  );
}

function readManifest(path: string): Manifest {
  const text = readBytes(path, 'Fix the file and try again.').toString();
  try {
    return v.parse(Manifest, JSON.parse(text));
  } catch (error) {
    throw new BadPackage(`${shownPath(path)} cannot be parsed: ${whyNot(error)}.`, 'Fix the file and try again.', {
      cause: error,
    });
  }
}

/** The problem and the field. */
function whyNot(error: unknown): string {
  if (!(error instanceof v.ValiError)) return error instanceof Error ? error.message : String(error);
  const [issue] = (error as v.ValiError<typeof Manifest>).issues;
  const field = v.getDotPath(issue);
  return `${field === null ? '' : `${field}: `}${issue.message}`;
}
