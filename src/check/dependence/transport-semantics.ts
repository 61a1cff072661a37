import type { Transport } from '../../kernel/declaration.ts';

/** What follows from the rules of a transport about processes that come and go. */
export interface TransportSemantics {
  readonly isFifo: boolean;
  /** Whether nobody is told of a crash. */
  readonly isUnnoticed: boolean;
  /** Whether it makes no difference if a message is sent before its receiver crashes, or after. */
  readonly isCrashSilent: boolean;
  /** Whether it makes no difference at all if the receiver is there. */
  readonly isAlwaysKept: boolean;
  /** Whether a crash takes what the process has sent. */
  readonly isCutOff: boolean;
  /** Whether messages come back to their senders. */
  readonly isReturned: boolean;
}

export function transportSemanticsOf({ order, toAbsent, onCrash }: Transport): TransportSemantics {
  const isUnnoticed = onCrash.notice === undefined;
  const isCrashSilent = isUnnoticed && toAbsent === onCrash.to;
  return {
    isFifo: order === 'fifo',
    isUnnoticed,
    isCrashSilent,
    isAlwaysKept: isCrashSilent && toAbsent === 'keep',
    isCutOff: onCrash.from === 'drop',
    isReturned: toAbsent === 'return',
  };
}
