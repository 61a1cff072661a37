import { behavior, defineSystem, type System } from 'culprit';

export const idle = (n: number): System =>
  defineSystem({ processes: { a: behavior({ start: () => ({ n }), receive() {} }) } });

export const other = idle(1);

export default idle(2);
