/**
 * The function of a system that runs now: an invariant, a wait, a generator. Such functions run outside of events, so if one does not
 * return, no event says which. Noting it is one assignment; its name is built only for a message.
 */
let asked: (() => string) | undefined;

/** It is about to be called. */
export function nowAsking(who: () => string): void {
  asked = who;
}

/** The function has returned or thrown. Code that the clock ends runs no `finally`, so a function that hangs stays noted. */
export function doneAsking(): void {
  asked = undefined;
}

/** The function that did not return; undefined if that was a handler. */
export const askedInVain = (): string | undefined => asked?.();
