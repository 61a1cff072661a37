import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The page's script and style, each as one minified text. */
export async function bundle(): Promise<{ readonly script: string; readonly style: string }> {
  const [script, style] = await Promise.all([
    bundled({
      entryPoints: ['viewer/main.tsx'],
      format: 'iife',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      conditions: ['culprit-source'],
      // Only the part that shows stacks to users of commands asks where culprit is.
      define: { 'import.meta.url': '""' },
      plugins: [traceIsPure],
    }),
    bundled({ entryPoints: ['viewer/page.css'], target: 'es2022' }),
  ]);
  return { script, style };
}

async function bundled(options: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  });
  return outputFiles[0]?.text.trim() ?? '';
}

/** Excludes unused parts of `culprit/trace` from the page: the schemas and their library are most of it. */
const traceIsPure: Plugin = {
  name: 'trace-is-pure',
  setup(builder) {
    builder.onResolve({ filter: /^(culprit\/trace$|\.)/ }, async ({ pluginData, path, ...args }) => {
      if (pluginData === 'resolved') return undefined;
      const found = await builder.resolve(path, { ...args, pluginData: 'resolved' });
      return found.path.includes('/src/trace/') ? { ...found, sideEffects: false } : found;
    });
  },
};

/** The template of the page. The policy allows only scripts and styles that are embedded in it. */
export function pageOf({ script, style }: { readonly script: string; readonly style: string }): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'connect-src __CONNECT__',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>culprit</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page shows a trace of culprit, and needs JavaScript for it.</noscript>
<script id="exhibit" type="application/json">__EXHIBIT__</script>
<script>${script}</script>
</body>
</html>
`;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
