import { externalIdentity, sentIdentity } from '../../kernel/external-events.ts';
import { act, crash, cut, heal, restart, send, start } from '../../system/externals.ts';
import { digestText, hex, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
import { ENVIRONMENT, type Event, type External } from '../../trace/event.ts';
import { BadCapture } from '../captures/bad-capture.ts';
import { Names } from '../network/names.ts';
import { failControl, recoverControl } from '../switch/switch-faults.ts';
import { endText, laneOfLink, type Station, type Topology } from '../topology/topology.ts';
import { ImportNotes } from './import-notes.ts';
import { injectedPacket } from './injected-packet.ts';
import { controllerIn, numberIn, switchName, type StsClass, type StsEvent } from './sts-event.ts';
import { itemsOf } from './sts-lines.ts';
import { stsMessage } from './sts-message.ts';
import { linkIn } from './sts-topology.ts';

/** An event that is wanted in an execution, and the one of STS that it stands for. */
export interface WantedEvent {
  readonly event: Event;
  readonly of: StsEvent;
}

/** What a controller or its switches print, at the time of an event. */
interface Log {
  readonly controller: string;
  readonly text: string;
  readonly atMs: number;
}

/** A trace of STS in our words. */
export interface StsSchedule {
  readonly wanted: readonly WantedEvent[];
  readonly controllers: readonly string[];
  readonly logs: readonly Log[];
  readonly notes: ImportNotes;
}

/** Translates the events of STS, one by one. Stations are known by their places, which change. */
export class Translation {
  private readonly wanted: WantedEvent[] = [];
  private readonly logs: Log[] = [];
  private readonly notes = new ImportNotes();
  private readonly names: Names;
  /** The station at each port: `s1.2`. */
  private readonly stations: Map<string, Station>;
  private readonly places = new Map<string, { switch: string; port: number }>();
  /** Frames that stations have sent and that are neither permitted nor dropped yet, with the address of the sender. */
  private underWay: { readonly mac: string; readonly id: Digest; readonly to: string; readonly message: unknown }[] =
    [];
  /** How often equal externals have happened. */
  private readonly counts = new Map<string, number>();
  private readonly hasMoves: boolean;

  constructor(
    private readonly topology: Topology,
    private readonly events: readonly StsEvent[],
  ) {
    this.names = new Names(topology);
    this.stations = new Map(topology.stations.map((station) => [endText(station), station]));
    for (const { name, switch: at, port } of topology.stations) this.places.set(name, { switch: at, port });
    this.hasMoves = events.some(({ of }) => of === 'HostMigration');
  }

  translated(): StsSchedule {
    const controllers = controllersOf(this.events);
    const [first] = this.events as [StsEvent, ...StsEvent[]];
    const processes = [...controllers, ...this.topology.switches.map(({ name }) => name)];
    for (const name of processes) this.happens(start(name), first);
    for (const event of this.events) {
      if (event.isAbsent) this.notes.count('timedOut');
      else this.handlers[event.of](event);
    }
    return { wanted: this.wanted, controllers, logs: this.logs, notes: this.notes };
  }

  private readonly handlers: Readonly<Record<StsClass, (event: StsEvent) => void>> = {
    ConnectToControllers: () => {},
    SwitchFailure: (event) => this.happens(failControl(this.switchIn(event)), event),
    SwitchRecovery: (event) => this.happens(recoverControl(this.switchIn(event)), event),
    LinkFailure: (event) => this.happens(cut(...this.linkOf(event)), event),
    LinkRecovery: (event) => this.happens(heal(...this.linkOf(event)), event),
    ControllerFailure: (event) => this.happens(crash(controllerIn(event)), event),
    ControllerRecovery: (event) => this.happens(restart(controllerIn(event)), event),
    ControlChannelBlock: (event) => this.happens(cut(controllerIn(event), this.switchIn(event)), event),
    ControlChannelUnblock: (event) => this.happens(heal(controllerIn(event), this.switchIn(event)), event),
    BlockControllerPair: (event) => this.happens(cut(controllerIn(event, 'cid1'), controllerIn(event, 'cid2')), event),
    UnblockControllerPair: (event) =>
      this.happens(heal(controllerIn(event, 'cid1'), controllerIn(event, 'cid2')), event),
    HostMigration: (event) => this.moves(event),
    TrafficInjection: (event) => this.sends(event),
    DataplaneDrop: (event) => this.endsFrame(event, true),
    DataplanePermit: (event) => this.endsFrame(event, false),
    WaitTime: () => this.notes.count('waits'),
    CheckInvariants: () => this.notes.count('checks'),
    InvariantViolation: () => {},
    ControlMessageReceive: (event) => this.delivers(controllerIn(event), this.switchIn(event), event),
    ControlMessageSend: (event) => this.delivers(this.switchIn(event), controllerIn(event), event),
    ProcessFlowMod: () => this.notes.count('flowMods'),
    ControllerStateChange: (event) => {
      const [, format] = itemsOf(event.fields['fingerprint'] ?? event.fields['_fingerprint']);
      this.logs.push({
        controller: controllerIn(event),
        text: typeof format === 'string' ? format : '',
        atMs: event.atMs,
      });
    },
    DeterministicValue: () => this.notes.count('clockReads'),
  };

  /** An external, with the name that it has when it happens. */
  private happens(external: External, of: StsEvent, cause = -1): Digest {
    const content = externalIdentity(external);
    const key = hex(content);
    const before = this.counts.get(key) ?? 0;
    this.counts.set(key, before + 1);
    const name = { hi: mixHi(content.hi, before), lo: mixLo(content.lo, before) };
    const process = 'process' in external ? external.process : ENVIRONMENT;
    this.wanted.push({ event: { ...external, process, cause, ...name }, of });
    return name;
  }

  private switchIn(event: StsEvent): string {
    return this.names.switch(switchName(numberIn(event, 'dpid')));
  }

  private linkOf(event: StsEvent): readonly [string, string, { readonly lane: string }] {
    const [one, other] = linkIn(event);
    const link = this.names.link(endText(one), endText(other));
    return [link.ends[0].switch, link.ends[1].switch, { lane: laneOfLink(link) }];
  }

  private moves(event: StsEvent): void {
    const [from, to] = ['old', 'new'].map((which) => ({
      switch: switchName(numberIn(event, `${which}_ingress_dpid`)),
      port: numberIn(event, `${which}_ingress_port_no`),
    })) as [Place, Place];
    const station = this.stations.get(endText(from));
    if (station === undefined)
      throw new BadCapture(
        `line ${event.line} of the trace moves the host at ${endText(from)}, a port without a host.`,
        'Name the topology of the trace with --topology.',
      );
    this.stations.delete(endText(from));
    this.stations.set(endText(to), station);
    this.places.set(station.name, to);
    this.happens(act('migrate', { station: station.name, to: this.names.switch(to.switch) }), event);
  }

  private sends(event: StsEvent): void {
    const sent = injectedPacket(event.fields['dp_event']);
    if (sent === undefined) return this.notes.count('packets');
    const station = this.topology.stations.find(({ mac }) => mac === sent.from);
    if (station === undefined)
      throw new BadCapture(
        `line ${event.line} of the trace sends a packet from ${sent.from}, which no station has.`,
        'Name the topology of the trace with --topology.',
      );
    const place = this.places.get(station.name) as Place;
    const message = { type: 'frame', port: place.port, packet: sent.packet };
    // A station that may move is looked for when it sends.
    if (this.hasMoves) this.happens(act('inject', { from: station.name, packet: sent.packet }), event);
    const name = this.happens(send(place.switch, message), event, this.hasMoves ? this.wanted.length - 1 : -1);
    this.underWay.push({ mac: station.mac, id: sentIdentity(name), to: place.switch, message });
  }

  /** A frame of a station reaches its switch, or is lost before. Of frames on links, only a fingerprint is there. */
  private endsFrame(event: StsEvent, isDrop: boolean): void {
    const parts = itemsOf(event.fields['fingerprint']);
    const mac = String(parts[3]).toLowerCase();
    const at = this.underWay.findIndex((frame) => frame.mac === mac);
    const frame = this.underWay[at];
    if (frame === undefined) return this.notes.count(isDrop ? 'drops' : 'permits');
    this.underWay = this.underWay.filter((one) => one !== frame);
    if (isDrop) this.happens({ kind: 'lose', target: hex(frame.id) }, event);
    else this.push(ENVIRONMENT, frame.to, frame.message, event, frame.id);
  }

  private delivers(from: string, to: string, event: StsEvent): void {
    const message = stsMessage(event.fields);
    if (message === undefined) return this.notes.count('messages');
    this.push(from, to, message, event, digestText(`${event.line}`));
  }

  private push(from: string, process: string, message: unknown, of: StsEvent, id: Digest): void {
    const { hi, lo } = id;
    const deliver = {
      kind: 'deliver',
      process,
      cause: -1,
      hi,
      lo,
      from,
      message,
      ask: 0,
      reply: 0,
      sentMs: 0,
    } as const;
    this.wanted.push({ event: deliver, of });
  }
}

interface Place {
  readonly switch: string;
  readonly port: number;
}

/** In order of their first events; one called c1 if the trace names none. */
function controllersOf(events: readonly StsEvent[]): string[] {
  const names = events.flatMap((event) => [
    ...('controller_id' in event.fields ? [controllerIn(event)] : []),
    ...('cid1' in event.fields ? [controllerIn(event, 'cid1'), controllerIn(event, 'cid2')] : []),
  ]);
  return names.length === 0 ? ['c1'] : [...new Set(names)].sort();
}
