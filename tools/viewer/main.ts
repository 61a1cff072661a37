import { mkdirSync, writeFileSync } from 'node:fs';
import { bundle, pageOf } from './bundle.ts';

mkdirSync('dist/viewer', { recursive: true });
writeFileSync('dist/viewer/page.html', pageOf(await bundle()));
