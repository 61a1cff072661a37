/** The process that starts nodes, reads their final states, and answers messages to nodes that do not exist. */
export const CONTROL = 'c0';

export const nodeNames = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at + 1}`);

export const clientNames = (count: number): string[] => Array.from({ length: count }, (_, at) => `c${at + 1}`);
