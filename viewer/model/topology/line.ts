import type { Point, Size } from './arrangement.ts';

/** A line between two boxes: straight, or bent so that parallel lines and those past other boxes can be told apart. */
export interface Line {
  readonly from: Point;
  readonly to: Point;
  /** The point that a bent line is drawn toward: twice as far from the middle as the line itself. */
  readonly control: Point;
}

/** The line from one box to another, bent by this many pixels to its left. */
export function lineBetween(from: Point, to: Point, bend = 0): Line {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [across, along] = [(to.y - from.y) / length, (to.x - from.x) / length];
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return { from, to, control: { x: middle.x + 2 * bend * across, y: middle.y - 2 * bend * along } };
}

/** A line beside this one, for an arrow in its direction. */
export function shifted({ from, to, control }: Line, by: number): Line {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const shift = { x: (by * (to.y - from.y)) / length, y: (-by * (to.x - from.x)) / length };
  const moved = (point: Point): Point => ({ x: point.x + shift.x, y: point.y + shift.y });
  return { from: moved(from), to: moved(to), control: moved(control) };
}

export const reversed = ({ from, to, control }: Line): Line => ({ from: to, to: from, control });

/** The point after this part of the line, from 0 to 1. */
export function pointAt({ from, to, control }: Line, part: number): Point {
  const at = (one: number, middle: number, other: number): number =>
    (1 - part) ** 2 * one + 2 * part * (1 - part) * middle + part ** 2 * other;
  return { x: at(from.x, control.x, to.x), y: at(from.y, control.y, to.y) };
}

export const curveOf = ({ from, to, control }: Line): string =>
  `M${round(from.x)} ${round(from.y)}Q${round(control.x)} ${round(control.y)} ${round(to.x)} ${round(to.y)}`;

/** An arrowhead after this part of the line. */
export function headAt(line: Line, part: number): string {
  const [tip, before] = [pointAt(line, part), pointAt(line, part - 0.02)];
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [x, y] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const corner = (side: 1 | -1): string =>
    `${round(tip.x - 9 * x + side * 4.5 * y)} ${round(tip.y - 9 * y - side * 4.5 * x)}`;
  return `M${round(tip.x)} ${round(tip.y)}L${corner(1)}L${corner(-1)}z`;
}

/** The point where the line leaves the box around its beginning, and a little beyond, for the number of a port. */
export function besideBox(line: Line, box: Size): Point {
  const { from } = line;
  for (let part = 0.02; part < 0.5; part += 0.02) {
    const point = pointAt(line, part);
    if (Math.abs(point.x - from.x) > box.width / 2 + 7 || Math.abs(point.y - from.y) > box.height / 2 + 8)
      return pointAt(shifted(line, -10), part);
  }
  return pointAt(line, 0.5);
}

const round = (value: number): number => Math.round(value * 10) / 10;
