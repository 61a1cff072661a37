import type { FlowMod, Message } from '../openflow/messages.ts';
import type { Sender, SwitchContext, SwitchOptions, SwitchState } from './switch-state.ts';

/**
 * Flow_mods that take effect later. Each is written to the table as if that was a disk: the end of the write is an event, and a crash
 * loses the writes that have not ended. Writes with one key end in their order, writes with different keys in any order.
 */
export class DelayedTable {
  constructor(
    private readonly options: SwitchOptions,
    private readonly state: SwitchState,
    private readonly ctx: SwitchContext,
    /** Handles a message whose turn has come. */
    private readonly handle: (message: Message, sender: Sender) => void,
  ) {}

  /**
   * Whether the message waits. A barrier waits for the flow_mods before it, and all later messages of the controller wait for the
   * barrier.
   */
  holdsBack(message: Message, sender: Sender): boolean {
    const { behindBarriers } = this.state;
    const waits =
      behindBarriers.some(({ controller }) => controller === sender.controller) ||
      (message.type === 'barrier_request' && this.isDelayed(sender.controller));
    if (waits) behindBarriers.push({ ...sender, message });
    return waits;
  }

  /** Begins to write a flow_mod. */
  begin(flowMod: FlowMod, sender: Sender): void {
    const key = this.options.delayedTable === 'fifo' ? 'flow_mod' : this.freeKey();
    this.state.delayed.push({ ...sender, key, flowMod });
    void this.ctx.disk.write(key, inWords(flowMod));
  }

  /** The flow_mod that was written, and its sender. */
  take(key: string): { readonly flowMod: FlowMod; readonly sender: Sender } | undefined {
    const { delayed } = this.state;
    const at = delayed.findIndex((one) => one.key === key);
    const [written] = at === -1 ? [] : delayed.splice(at, 1);
    if (written === undefined) return undefined;
    const { flowMod, controller, connection } = written;
    return { flowMod, sender: { controller, connection } };
  }

  /** Handles what has waited for the last flow_mod, up to the next barrier that has to wait. */
  release(controller: string): void {
    const { behindBarriers } = this.state;
    for (;;) {
      const at = behindBarriers.findIndex((one) => one.controller === controller);
      const next = behindBarriers[at];
      if (next === undefined || (next.message.type === 'barrier_request' && this.isDelayed(controller))) return;
      behindBarriers.splice(at, 1);
      this.handle(next.message, { controller, connection: next.connection });
    }
  }

  private isDelayed(controller: string): boolean {
    return this.state.delayed.some((one) => one.controller === controller);
  }

  /** Keys are used again, so that few are ever on the disk. */
  private freeKey(): string {
    for (let number = 1; ; number++) {
      const key = `flow_mod ${number}`;
      if (this.state.delayed.every((one) => one.key !== key)) return key;
    }
  }
}

/** For readers of stories: `add inPort 1, priority 100: output 2`. */
function inWords({ command, match, priority, actions }: FlowMod): string {
  const fields = Object.entries(match).map(([name, value]) => `${name} ${value}`);
  const meant = `${command} ${[...fields, `priority ${priority}`].join(', ')}`;
  if (command === 'delete' || command === 'delete_strict') return meant;
  const done = actions.map((action) => (action.type === 'output' ? `output ${action.port}` : action.type));
  return `${meant}: ${done.join(', ') || 'drop'}`;
}
