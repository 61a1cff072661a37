// `node --import ./tools/source/built.mjs some.ts` runs TypeScript with `culprit` resolved to dist, the published code:
// benches measure that.
import { register } from 'node:module';

process.setSourceMapsEnabled(true);
register('./built-hooks.mjs', import.meta.url);
