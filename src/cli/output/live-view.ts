import { Throttle } from '../../kernel/throttle.ts';
import { TooLarge } from '../../explain/too-large.ts';
import { exhibitOf, type Named } from '../../view/view-model.ts';
import type { SavedTrace } from '../../files/trace-file.ts';
import { viewerPage } from '../../view/page.ts';
import { ViewServer } from '../../view/server.ts';
import { openBrowser } from './browser.ts';
import { complain } from './output.ts';
import { errorStyle } from './style.ts';

/** How often the page is told how it is getting on. */
const TELL_MS = 250;

/** A page in the browser that shows how a command is getting on, and the best so far. */
export class LiveView {
  private doing = 'starting';
  private best: readonly Named[] = [];
  private readonly telling = new Throttle(TELL_MS, { isDueAtOnce: true });

  private constructor(
    private readonly title: string,
    private readonly view: ViewServer,
  ) {}

  /** While something is done, where it is wanted. However that ends, nothing is left that would keep the process. */
  static async during(
    title: string,
    isWanted: boolean,
    work: (live: LiveView | undefined) => Promise<void>,
  ): Promise<void> {
    const live = isWanted ? await LiveView.open(title) : undefined;
    try {
      await work(live);
    } finally {
      await live?.view.close();
    }
  }

  /** What it prints goes where progress goes: standard output is for what is found. */
  private static async open(title: string): Promise<LiveView> {
    const view = await ViewServer.open(
      viewerPage(),
      exhibitOf([], { title, live: { doing: 'starting', isOver: false } }),
    );
    openBrowser(view.url);
    complain([`${errorStyle.quiet('view')}      ${view.url}`]);
    return new LiveView(title, view);
  }

  progress(line: string): void {
    this.doing = line;
    if (this.telling.isDue) this.show(false);
  }

  /** What is found, or the smallest by now. */
  shrunk({ trace, path }: SavedTrace): void {
    this.best = [{ file: path, trace }];
    this.show(false);
  }

  /** The page stays as it is then. */
  async end(doing: string): Promise<void> {
    this.doing = doing;
    this.show(true);
    await this.view.heardOut();
  }

  private show(isOver: boolean): void {
    const { title, doing } = this;
    this.telling.happened();
    try {
      this.view.show(exhibitOf(this.best, { title, live: { doing, isOver } }));
    } catch (error) {
      // The command goes on: what it finds is on disk.
      if (!(error instanceof TooLarge)) throw error;
      this.view.show(exhibitOf([], { title, live: { doing: `${doing}; ${error.message}`, isOver } }));
    }
  }
}
