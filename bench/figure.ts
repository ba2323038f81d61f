/** One measured figure: our value, the peer's value from the same run if there is one, and ours divided by the peer's. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  peer?: number;
  ratio?: number;
  /** The limit for the ratio or value, for readers. */
  goal?: string;
}

export function round(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}

export function figureBesidePeer(name: string, unit: string, value: number, peer: number, goal?: string): Figure {
  const figure = { name, value: round(value), unit, peer: round(peer), ratio: round(value / peer) };
  return goal === undefined ? figure : { ...figure, goal };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
