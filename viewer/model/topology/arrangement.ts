/** Everything in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The places of nodes. */
export interface Arrangement {
  readonly nodes: ReadonlyMap<string, Point>;
  /** The direction from a node toward its stations, as a vector of length 1. */
  readonly outward: (node: string) => Point;
  /** How many stations fit beside a node. */
  readonly stationsFit: number;
  /** Whether there is no room for the names of nodes that the execution does not touch. */
  readonly isCrowded: boolean;
}

/** The room for nodes. */
export interface Area extends Size {
  /** The height of the controllers above. */
  readonly top: number;
  readonly box: Size;
  readonly hasStations: boolean;
}

export const MARGIN = 12;
/** The room that a station takes beside its node. */
export const STATION = { distance: 44, width: 34 } as const;
