// `node --import ./tools/source/built.mjs some.ts` runs TypeScript too, but `culprit` means dist, as its users get it:
// benches measure that.
import { register } from 'node:module';

process.setSourceMapsEnabled(true);
register('./built-hooks.mjs', import.meta.url);
