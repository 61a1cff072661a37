import type { EventLine } from 'culprit/trace';

/** The shape of an event on the line of its process. Shapes alone tell kinds apart, without colors. */
interface Shape {
  readonly path: string;
  readonly isFilled: boolean;
  readonly name: string;
}

const circle = (r: number): string => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

const shapes = {
  deliver: { path: circle(3.5), isFilled: true, name: 'a message arrives' },
  return: { path: `${circle(4)}M4 0H-2M0 -2L-2 0L0 2`, isFilled: false, name: 'a message comes back' },
  fire: { path: `${circle(5)}M0 -3V0H2.5`, isFilled: false, name: 'a timer fires' },
  write: { path: 'M-4 -4H4V4H-4z', isFilled: true, name: 'a disk write completes' },
  read: { path: 'M-4 -4H4V4H-4z', isFilled: false, name: 'a disk read completes' },
  wait: { path: 'M-4 -4H4L-4 4H4z', isFilled: false, name: 'a sleep or a wait ends, or an ask times out' },
  begin: { path: `${circle(5)}${circle(1.5)}`, isFilled: false, name: 'a process starts' },
  restart: { path: 'M0 -5.5L5 4H-5z', isFilled: false, name: 'a process restarts' },
  crash: { path: 'M-5 -5L5 5M-5 5L5 -5', isFilled: false, name: 'a process crashes' },
  stop: { path: 'M-7 0H7M-4 -3.5V3.5M4 -3.5V3.5', isFilled: false, name: 'a process stops' },
  pause: { path: 'M-5 -5H5V5H-5zM-1.5 -2.5V2.5M1.5 -2.5V2.5', isFilled: false, name: 'a process is paused' },
  resume: { path: 'M-5 -5H5V5H-5zM-1.5 -2.5L2.5 0L-1.5 2.5z', isFilled: false, name: 'a process resumes' },
  send: { path: 'M-3.5 -4.5L5 0L-3.5 4.5z', isFilled: true, name: 'the environment sends a message' },
  cut: { path: 'M-2.5 -6V6M2.5 -6V6', isFilled: false, name: 'links are cut' },
  heal: { path: 'M-6 0H6M0 -5V5', isFilled: false, name: 'links are healed' },
  lose: { path: `${circle(5)}M-3.5 -3.5L3.5 3.5`, isFilled: false, name: 'the environment loses a message' },
  duplicate: {
    path: 'M-6 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0zM-1 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z',
    isFilled: false,
    name: 'the environment duplicates a message',
  },
  hold: {
    path: `${circle(5)}M-1.8 -2.5V2.5M1.8 -2.5V2.5`,
    isFilled: false,
    name: 'the environment holds a message back, or delays it',
  },
  act: { path: 'M0 -6L6 0L0 6L-6 0z', isFilled: false, name: 'the environment acts' },
} satisfies Readonly<Record<string, Shape>>;

type ShapeName = keyof typeof shapes;

export const shapeNames = Object.keys(shapes) as readonly ShapeName[];

export const nameOf = (shape: ShapeName): string => shapes[shape].name;

export function shapeOf(line: EventLine): ShapeName {
  switch (line.kind) {
    case 'start':
    case 'spawn':
      return 'begin';
    case 'complete':
      return line.operation === 'write' || line.operation === 'read' ? line.operation : 'wait';
    case 'delay':
      return 'hold';
    default:
      return line.kind;
  }
}

interface Place {
  readonly shape: ShapeName;
  readonly x: number;
  readonly y: number;
  readonly class?: string;
}

export function Glyph({ shape, x, y, class: more = '' }: Place) {
  const { path, isFilled } = shapes[shape];
  return (
    <path
      class={`glyph ${isFilled ? 'filled' : 'hollow'} is-${shape} ${more}`}
      transform={`translate(${x} ${y})`}
      d={path}
    />
  );
}
