// `node --import ./tools/source/register.mjs some.ts` runs TypeScript on every Node we support; worker threads and
// forked processes inherit it with execArgv. Node 20 cannot strip types by itself.
import { register } from 'node:module';

process.setSourceMapsEnabled(true);
register('./hooks.mjs', import.meta.url);
