import { printableLines, type Exhibit } from 'culprit/trace';
import { render } from 'preact';
import { Scene } from './model/scene.ts';
import { App } from './parts/app.tsx';
import type { BranchActions, BranchState } from './parts/branch-panel.tsx';
import { Nothing } from './parts/nothing.tsx';
import { printEverything } from './printed.ts';
import { branchFor, exhibits } from './source.ts';

const root = document.getElementById('page') as HTMLElement;

let exhibit: Exhibit | undefined;
let scene: Scene | undefined;
let branching: BranchState | undefined;

/** Shows an exhibit; the next one replaces it, and the cursor stays at its event. A branch stays beside it. */
function show(next: Exhibit): void {
  exhibit = next;
  document.title = printableLines(next.title);
  scene = next.executions.length === 0 ? undefined : sceneOf(next);
  draw();
}

function draw(): void {
  if (exhibit === undefined) return;
  const { title, live, canBranch = false } = exhibit;
  const page =
    scene === undefined ? (
      <Nothing title={title} live={live} />
    ) : (
      <App scene={scene} branch={branching} branches={canBranch ? actions : undefined} />
    );
  render(page, root);
}

/** With a branch, both executions side by side, and the cursor at the end of the branch. */
function sceneOf(shown: Exhibit): Scene {
  const [first] = shown.executions;
  const execution = branching?.branch?.execution;
  if (execution === undefined || first === undefined) return new Scene(shown);
  const { why: _why, reasons: _reasons, ...rest } = shown;
  return new Scene({ ...rest, executions: [first, execution] }, { side: 1, event: execution.trace.events.length - 1 });
}

const actions: BranchActions = {
  begin: (after) => void ask({ after }),
  enter: (command) => void ask({ command }),
  leave: () => {
    branching = undefined;
    if (exhibit !== undefined) show(exhibit);
  },
};

async function ask(asked: Parameters<typeof branchFor>[0]): Promise<void> {
  if (branching?.isBusy === true) return;
  branching = { ...branching, problem: undefined, isBusy: true };
  draw();
  try {
    branching = { branch: await branchFor(asked), isBusy: false };
    if (exhibit !== undefined) show(exhibit);
  } catch (error) {
    branching = { ...branching, problem: error instanceof Error ? error.message : String(error), isBusy: false };
    draw();
  }
}

async function showAll(): Promise<void> {
  for await (const next of exhibits()) show(next);
}

printEverything();
showAll().catch((problem: unknown) => {
  root.textContent = `Nothing to show: ${problem instanceof Error ? problem.message : String(problem)}`;
});
