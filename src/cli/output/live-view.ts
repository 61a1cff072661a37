import { Throttle } from '../../kernel/throttle.ts';
import { TooLarge } from '../../explain/too-large.ts';
import { exhibitOf, type NamedTrace } from '../../view/view-model.ts';
import type { SavedTrace } from '../../files/trace-file.ts';
import { viewerPage } from '../../view/page.ts';
import { ViewServer } from '../../view/server.ts';
import type { System } from '../../system/definition.ts';
import { placed } from '../places.ts';
import { openBrowser } from './browser.ts';
import { printErrorLines } from './lines.ts';
import { plainLine } from './progress.ts';
import type { Doing } from './progress-words.ts';

/** The interval between updates of the page. */
const UPDATE_MS = 250;

/** A page in the browser that shows the progress of a command, and its best result so far. */
export class LiveView {
  private status = 'starting';
  private best: readonly NamedTrace[] = [];
  private readonly throttle = new Throttle(UPDATE_MS, { isDueAtOnce: true });

  private constructor(
    private readonly title: string,
    private readonly view: ViewServer,
  ) {}

  /** Runs `work` with a page if one is wanted. Closes the server afterward, so that the process can end. */
  static async whileOpen(
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

  /** Prints the URL to standard error: standard output is for results. */
  private static async open(title: string): Promise<LiveView> {
    const view = await ViewServer.open(
      viewerPage(),
      exhibitOf([], { title, live: { status: 'starting', isOver: false } }),
    );
    openBrowser(view.url);
    printErrorLines([`view      ${view.url}`]);
    return new LiveView(title, view);
  }

  progress(doing: Doing): void {
    this.status = plainLine(doing);
    if (this.throttle.isDue) this.show(false);
  }

  /** Shows a finding, or its smallest version so far. */
  showTrace({ trace, path }: SavedTrace): void {
    this.best = [{ file: path, trace }];
    this.show(false);
  }

  /** Shows a finding with the places of its handlers. */
  async showWithPlaces({ trace, path }: SavedTrace, system: System): Promise<void> {
    this.best = [await placed({ file: path, trace }, system)];
    this.show(false);
  }

  /** Shows the final state. */
  async end(status: string): Promise<void> {
    this.status = status;
    this.show(true);
    await this.view.untilReceived();
  }

  private show(isOver: boolean): void {
    const { title, status } = this;
    this.throttle.happened();
    try {
      this.view.show(exhibitOf(this.best, { title, live: { status, isOver } }));
    } catch (error) {
      // The command continues: its results are saved in files.
      if (!(error instanceof TooLarge)) throw error;
      this.view.show(exhibitOf([], { title, live: { status: `${status}; ${error.message}`, isOver } }));
    }
  }
}
