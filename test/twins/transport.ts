import type { DeclaredLink, Dropped, Timing, Transport } from 'culprit/kernel';
import type { Event, External, Internal, Link } from 'culprit/trace';
import { ENVIRONMENT, hex } from 'culprit/trace';
import { isLinkUp, reportsOf } from './link-reports.ts';
import { cutsAfter, declaredFor, isCutBy } from './link-rules.ts';
import { isMail, isReport, keyOf, keyOfEvent, letter, onSameWay, wayOf, type Mail } from './mail.ts';
import type { Fact, Message } from './random-system.ts';
import { RequestsTwin, unlike } from './requests.ts';

type Life = 'away' | 'waiting' | 'spawned' | 'starting' | 'up' | 'stopped' | 'crashed';

/**
 * The declared transport and the life of processes as flat lists and brute force. Its expectations follow from the
 * performed events and from the diaries of processes; from the kernel it takes only the names of new things.
 */
export class TransportTwin {
  /** Every message ever sent, oldest first. */
  private readonly mail: Mail[] = [];
  private readonly requests: RequestsTwin;
  private readonly life = new Map<string, Life>();
  private readonly suspended = new Map<string, number>();
  private readonly asks = new Set<string>();
  private readonly paused = new Set<string>();
  private cuts: string[] = [];
  /** The messages that are held back, and the events that they wait for, by identity. */
  private readonly holds: { readonly id: string; readonly until: string }[] = [];
  private problems: string[] = [];
  /** The messages that the current event must have dropped. */
  private drops: string[] = [];

  constructor(
    private readonly transport: Transport,
    timing: Timing,
    private readonly blocks: (process: string) => boolean,
    declared: readonly string[],
    private readonly links: readonly DeclaredLink[] = [],
  ) {
    this.requests = new RequestsTwin(timing);
    for (const name of declared) this.life.set(name, 'waiting');
  }

  /**
   * One event happened: the event, the actions of processes in it, what is newly pending, and what was dropped. Returns
   * how that differs from the expectation.
   */
  observe(
    event: Event,
    facts: readonly Fact[],
    fresh: readonly Internal[],
    dropped: readonly Dropped[],
  ): readonly string[] {
    this.problems = [];
    this.drops = [];
    this.requests.begin();
    const before = this.linkStates;
    this.happen(event);
    for (const fact of facts) this.note(fact);
    for (const fact of facts) if (fact.fact === 'throw') this.crashed(fact.process);
    for (const mail of reportsOf(this.links, before, this.linkStates, event, this.isGone)) this.post(mail);
    const lost = dropped.map(({ message, why }) => `${why} ${keyOfEvent(message)}`);
    this.problems.push(...unlike('dropped', this.drops, lost), ...this.requests.learn(fresh));
    this.learn(fresh.filter(isMail));
    this.openAsks(facts, [...fresh.filter(isMail), ...dropped.map(({ message }) => message)]);
    this.endHolds();
    return this.problems;
  }

  private get linkStates(): readonly boolean[] {
    return this.links.map((link) => isLinkUp(link, this.cuts, this.isGone));
  }

  private readonly isGone = (process: string): boolean => this.is(process, 'stopped', 'crashed');

  /** Identities of the events that may happen now. */
  enabled(): string[] {
    const messages = this.mail.filter((mail) => this.deliverable(mail)).map(({ id }) => id);
    return [...messages, ...this.requests.enabled(this.accepts, this.isPaused)];
  }

  pending(): string[] {
    return [...this.mail.filter(({ inFlight }) => inFlight).map(({ id }) => id), ...this.requests.pending()];
  }

  /** Every existing process: whether it is up, and its durable data. */
  processes(): { name: string; up: boolean; disk: ReadonlyMap<string, unknown> }[] {
    return [...this.life.keys()].map((name) => ({ name, up: this.is(name, 'up'), disk: this.requests.diskOf(name) }));
  }

  /** Whether the environment can do this now. */
  allows(external: External): boolean {
    switch (external.kind) {
      case 'start':
        return this.is(external.process, 'waiting', ...(external.of === undefined ? [] : (['away'] as const)));
      case 'crash':
      case 'stop':
        return this.is(external.process, 'starting', 'up');
      case 'restart':
        return this.is(external.process, 'crashed', 'stopped');
      case 'pause':
        return this.is(external.process, 'starting', 'up') && !this.paused.has(external.process);
      case 'resume':
        return this.paused.has(external.process);
      case 'cut':
      case 'heal':
        return external.links.every(([from, to]) => this.knows(from) && this.knows(to));
      case 'lose':
        return this.isInFlight(external.target) && this.allowsTo(external.target, 'losses');
      case 'duplicate':
        return this.isInFlight(external.target) && this.allowsTo(external.target, 'duplicates');
      case 'hold':
        return (
          this.isInFlight(external.target) &&
          !this.holds.some(({ id }) => id === external.target) &&
          external.target !== external.until &&
          this.enabled().includes(external.until)
        );
      default:
        return true;
    }
  }

  /** One by one: the end of one hold may end another. */
  private endHolds(): void {
    const isOver = ({ id, until }: (typeof this.holds)[number]): boolean =>
      !this.isInFlight(id) || !(this.enabled().includes(until) || this.holds.some((other) => other.id === until));
    for (let at = this.holds.findIndex(isOver); at >= 0; at = this.holds.findIndex(isOver)) this.holds.splice(at, 1);
  }

  /** Whether it is declared, has joined or was spawned. */
  knows(process: string): boolean {
    return this.life.has(process);
  }

  /** Whether a handler awaits, so that the world cannot be copied. */
  isSuspended(): boolean {
    return [...this.suspended.values()].some((handlers) => handlers > 0);
  }

  private is(process: string, ...lives: readonly Life[]): boolean {
    return lives.includes(this.life.get(process) ?? 'away');
  }

  private happen(event: Event): void {
    switch (event.kind) {
      case 'deliver':
      case 'return':
        this.taken(hex(event));
        return this.closeAsk(event.process, event.kind === 'deliver' ? event.reply : event.ask);
      case 'fire':
        return this.requests.fired(event);
      case 'complete':
        this.requests.completed(event);
        if (event.operation === 'timeout') this.closeAsk(event.process, event.request);
        return;
      case 'spawn':
        this.requests.born(event);
        this.life.set(event.process, 'starting');
        return;
      default:
        return this.happenOutside(event);
    }
  }

  private happenOutside(event: External): void {
    switch (event.kind) {
      case 'restart':
        if (event.wiped === true) this.requests.wipe(event.process);
        this.life.set(event.process, 'starting');
        return;
      case 'start':
        this.life.set(event.process, 'starting');
        return;
      case 'pause':
        return void this.paused.add(event.process);
      case 'resume':
        return void this.paused.delete(event.process);
      case 'crash':
        return this.crashed(event.process);
      case 'stop':
        return this.stopped(event.process);
      case 'send':
        return this.post(letter(ENVIRONMENT, event.to, (event.message as Message).tag));
      case 'cut':
      case 'heal':
        return this.setLinks(event.links, event.kind === 'cut');
      case 'lose':
        return this.drop(this.taken(event.target), 'lost');
      case 'duplicate':
        return this.post({ ...this.called(event.target), id: '' });
      case 'hold':
        this.holds.push({ id: event.target, until: event.until });
        return;
      case 'act':
        throw new Error('the twin knows no actions');
      case 'delay':
      case 'wait':
        throw new Error('nothing happens by itself in the twin');
    }
  }

  private note(fact: Fact): void {
    switch (fact.fact) {
      case 'enter':
      case 'leave':
      case 'throw':
        return this.turn(fact.process, fact.fact === 'enter' ? 1 : -1, fact.start);
      case 'send':
        return this.post(letter(fact.process, fact.to, fact.tag, fact.lane));
      case 'set':
        return this.requests.timerSet(fact.process, fact.timer);
      case 'cancel':
        return this.requests.timerCanceled(fact.process, fact.timer);
      case 'request':
        return this.requests.request(fact);
      case 'spawn':
        this.life.set(fact.child, 'spawned');
        return this.requests.spawn(fact.child);
    }
  }

  /** A handler begins or ends. */
  private turn(process: string, by: 1 | -1, isStart: boolean): void {
    const running = (this.suspended.get(process) ?? 0) + by;
    if (running < 0) this.problems.push(`${process} went on after its end`);
    this.suspended.set(process, running);
    if (isStart && by < 0) this.life.set(process, 'up');
  }

  /** A message is sent. */
  private post(mail: Mail): void {
    if (this.is(mail.to, 'away', 'stopped', 'crashed')) {
      const { toAbsent } = this.transport;
      if (mail.returned) return;
      if (toAbsent === 'drop' || (toAbsent === 'return' && mail.from === ENVIRONMENT)) return this.drop(mail, 'absent');
      if (toAbsent === 'return')
        return this.post({ ...mail, id: '', from: mail.to, to: mail.from, lane: undefined, returned: true });
    }
    if (this.rule(mail, 'onCut') === 'drop' && this.isCut(mail)) return this.drop(mail, 'cut');
    this.mail.push({ ...mail, inFlight: true });
  }

  /** A returning message that is lost is not reported: it was lost to its receiver before. */
  private drop(mail: Mail, why: Dropped['why']): void {
    if (!mail.returned) this.drops.push(`${why} ${keyOf(mail)}`);
  }

  private taken(id: string): Mail {
    const mail = this.called(id);
    mail.inFlight = false;
    return mail;
  }

  private called(id: string): Mail {
    const found = this.mail.find((mail) => mail.id === id && mail.inFlight);
    if (found === undefined) throw new Error(`${id} is not in flight`);
    return found;
  }

  private crashed(process: string): void {
    const { to, from } = this.transport.onCrash;
    this.vanish(process, 'crashed');
    for (const mail of this.mail.filter(({ inFlight }) => inFlight)) {
      const lost =
        (mail.to === process && (to === 'drop' || isReport(mail))) || (wayOf(mail) === process && from === 'drop');
      if (!lost) continue;
      mail.inFlight = false;
      this.drop(mail, 'crash');
    }
  }

  private stopped(process: string): void {
    this.vanish(process, 'stopped');
    const isKept = this.transport.toAbsent === 'keep';
    const met = this.mail.filter((mail) => mail.inFlight && mail.to === process && (!isKept || isReport(mail)));
    for (const mail of met) mail.inFlight = false;
    for (const mail of met) if (isReport(mail)) this.drop(mail, 'absent');
    for (const mail of met) if (!isReport(mail)) this.post(mail);
  }

  private vanish(process: string, life: 'crashed' | 'stopped'): void {
    this.life.set(process, life);
    this.paused.delete(process);
    this.suspended.set(process, 0);
    this.requests.vanish(process, life === 'stopped' ? 'written' : 'lost');
    for (const ask of this.asks) if (ask.startsWith(`${process} `)) this.asks.delete(ask);
  }

  private setLinks(links: readonly Link[], cut: boolean): void {
    this.cuts = cutsAfter(this.cuts, links, cut, [...this.life.keys()]);
    for (const mail of this.mail.filter((other) => other.inFlight && this.isCut(other))) {
      if (this.rule(mail, 'onCut') === 'hold') continue;
      mail.inFlight = false;
      this.drop(mail, 'cut');
    }
  }

  private readonly isCut = (mail: Mail): boolean => isCutBy(this.cuts, mail);

  /** The rule of the lane, of the link, or of the transport. */
  private rule<R extends 'order' | 'onCut'>(mail: Mail, rule: R): Transport[R] {
    return (declaredFor(this.links, mail, rule) as Transport[R] | undefined) ?? this.transport[rule];
  }

  private isInFlight(id: string): boolean {
    return this.mail.some((mail) => mail.inFlight && mail.id === id);
  }

  private allowsTo(id: string, fault: 'losses' | 'duplicates'): boolean {
    return !isReport(this.called(id)) && declaredFor(this.links, this.called(id), fault) !== false;
  }

  private readonly isPaused = (process: string): boolean => this.paused.has(process);

  private readonly accepts = (process: string): boolean =>
    this.is(process, 'up') &&
    !this.paused.has(process) &&
    !(this.blocks(process) && (this.suspended.get(process) ?? 0) > 0);

  private deliverable(mail: Mail): boolean {
    if (!mail.inFlight || !this.is(mail.to, 'starting', 'up') || this.isCut(mail)) return false;
    if (this.paused.has(mail.to) || this.holds.some(({ id }) => id === mail.id)) return false;
    const before = this.mail.slice(0, this.mail.indexOf(mail));
    const older = before.filter((other) => other.inFlight && onSameWay(mail, other));
    if (!this.accepts(mail.to)) return this.isAwaited(mail) && !older.some((other) => this.isAwaited(other));
    if (isReport(mail)) return older.length === 0;
    return this.rule(mail, 'order') === 'unordered' || wayOf(mail) === ENVIRONMENT || older.length === 0;
  }

  private isAwaited({ to, answers }: Mail): boolean {
    return this.asks.has(`${to} ${answers}`);
  }

  private closeAsk(process: string, ask: number): void {
    this.asks.delete(`${process} ${ask}`);
    this.requests.dropLimit(process, ask);
  }

  /** Finds the kernel's names for the messages that this event must have sent; it must have sent no others. */
  private learn(fresh: readonly Extract<Internal, { kind: 'deliver' | 'return' }>[]): void {
    const nameless = this.mail.filter(({ id, inFlight }) => inFlight && id === '');
    this.problems.push(...unlike('sent', nameless.map(keyOf), fresh.map(keyOfEvent)));
    for (const event of fresh) {
      const mail = nameless.find((other) => other.id === '' && keyOf(other) === keyOfEvent(event));
      if (mail === undefined) continue;
      mail.id = hex(event);
      mail.answers = event.kind === 'deliver' ? event.reply : event.ask;
    }
  }

  /** The number of an ask is on the message that carries it, wherever that is now. */
  private openAsks(facts: readonly Fact[], messages: readonly Extract<Internal, { ask: number }>[]): void {
    for (const fact of facts) {
      if (fact.fact !== 'send' || !fact.asks || this.is(fact.process, 'crashed')) continue;
      const carrier = messages.find(({ message, ask }) => (message as Message).tag === fact.tag && ask > 0);
      if (carrier === undefined) this.problems.push(`an ask of ${fact.process} is nowhere`);
      else this.asks.add(`${fact.process} ${carrier.ask}`);
    }
  }
}
