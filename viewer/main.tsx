import type { Exhibit } from 'culprit/trace';
import { render } from 'preact';
import { Scene } from './model/scene.ts';
import { App } from './parts/app.tsx';
import { exhibit } from './source.ts';

const root = document.getElementById('page') as HTMLElement;

/** Shows an exhibit; the next one takes its place and the reader stays where they are. */
function show(next: Exhibit): void {
  document.title = next.title;
  render(<App scene={new Scene(next)} />, root);
}

exhibit().then(show, (problem: unknown) => {
  root.textContent = `There is nothing to show: ${problem instanceof Error ? problem.message : String(problem)}`;
});
