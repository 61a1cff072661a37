import { Random, type Context } from 'culprit/kernel';
import type { Event } from 'culprit/trace';
import { nodeNames, raftNode, type Message, type Node } from './raft-like.ts';

type Call =
  | { readonly kind: 'receive'; readonly node: number; readonly message: Message; readonly from: string }
  | { readonly kind: 'timer'; readonly node: number; readonly timer: 'election' | 'heartbeat' };

/**
 * The handler calls of a recorded execution and nothing else: no kernel, no recording, no choice. Messages that
 * handlers send are discarded, because the recording already has those they receive. Returns the final states.
 */
export function bareLoop(events: readonly Event[]): () => Node[] {
  const calls = events.flatMap(callOf);
  return () => {
    const contexts = nodeNames.map((name) => new BareContext(name));
    const nodes = contexts.map((ctx) => raftNode.start(ctx) as Node);
    for (const call of calls) {
      const ctx = contexts[call.node] as BareContext;
      const node = nodes[call.node] as Node;
      if (call.kind === 'timer') void raftNode.timer?.(node, call.timer, ctx);
      else {
        ctx.from = call.from;
        void raftNode.receive(node, call.message, ctx);
      }
    }
    return nodes;
  };
}

function callOf(event: Event): Call[] {
  const node = nodeNames.findIndex((name) => name === event.process);
  if (event.kind === 'deliver') return [{ kind: 'receive', node, message: event.message as Message, from: event.from }];
  if (event.kind === 'fire') return [{ kind: 'timer', node, timer: event.timer as 'election' | 'heartbeat' }];
  return [];
}

/** A minimal context. Random numbers decide only when timers fire, and none do here. */
class BareContext implements Context<Message> {
  readonly lane = undefined;
  readonly peers: readonly string[];
  readonly random = Random.seeded(1, 1);
  readonly step = 0;
  readonly nowMs = 0;
  readonly restarts = 0;
  from: string;
  sent: Message | undefined;

  constructor(readonly self: string) {
    this.from = self;
    this.peers = nodeNames.filter((name) => name !== self);
  }

  get disk(): never {
    return unused();
  }

  get history(): never {
    return unused();
  }

  send(_to: string, message: Message): void {
    // Kept for a moment: otherwise the compiler would not allocate a message that no code reads.
    this.sent = message;
  }
  setTimer(): void {
    // Never fires.
  }
  cancelTimer(): void {
    // No timer was ever set.
  }

  readonly ask = unused;
  readonly reply = unused;
  readonly repeatTimer = unused;
  readonly sleep = unused;
  readonly spawn = unused;
  readonly log = unused;
}

function unused(): never {
  throw new Error('the Raft-like system does not use this');
}
