import { fileURLToPath } from 'node:url';

/** Where a file of this package is, by its path from the folder of the package. */
export const packageFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
