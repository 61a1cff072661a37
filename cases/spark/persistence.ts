import type { Context } from 'culprit';
import type { Disk } from 'culprit/kernel';

/** What the master must know after a crash. Where things run is not written down: the workers will say. */
export interface Persisted {
  workers: { cores: number };
  drivers: { supervise: boolean };
  applications: object;
}

type Folder = keyof Persisted;

/** The files of a folder, by name. */
export function filesIn<F extends Folder>(disk: Disk, folder: F): Record<string, Persisted[F]> {
  // Only this module writes to the disk.
  return (disk.peek(folder) ?? {}) as Record<string, Persisted[F]>;
}

/** Creates a file that must not be there yet, like the file system's own `createNewFile`. */
export async function createFile<F extends Folder>(
  { disk }: Pick<Context<unknown>, 'disk'>,
  folder: F,
  name: string,
  content: Persisted[F],
): Promise<void> {
  const files = filesIn(disk, folder);
  if (name in files) throw new Error(`could not create file ${folder}/${name}: it is there already`);
  await disk.write(folder, { ...files, [name]: content });
}

export async function removeFiles(
  { disk }: Pick<Context<unknown>, 'disk'>,
  folder: Folder,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const files = Object.entries(filesIn(disk, folder)).filter(([name]) => !names.includes(name));
  await disk.write(folder, Object.fromEntries(files));
}
