import { printableLines, type Exhibit } from 'culprit/trace';
import { render } from 'preact';
import { Scene } from './model/scene.ts';
import { App } from './parts/app.tsx';
import { Nothing } from './parts/nothing.tsx';
import { printEverything } from './printed.ts';
import { exhibits } from './source.ts';

const root = document.getElementById('page') as HTMLElement;

/** Shows an exhibit; the next one replaces it, and the cursor stays at its event. */
function show(next: Exhibit): void {
  document.title = printableLines(next.title);
  const isFound = next.executions.length > 0;
  render(isFound ? <App scene={new Scene(next)} /> : <Nothing title={next.title} live={next.live} />, root);
}

async function showAll(): Promise<void> {
  for await (const next of exhibits()) show(next);
}

printEverything();
showAll().catch((problem: unknown) => {
  root.textContent = `Nothing to show: ${problem instanceof Error ? problem.message : String(problem)}`;
});
