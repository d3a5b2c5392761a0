import type { Row } from '../books.js';

/** The result of one rule: how many rows it examined, and the violating rows. */
export interface Finding {
  /** The rule as a sentence. */
  name: string;
  examined: number;
  violations: Row[];
}

/** Returns the items whose key occurs more than once, each once with its count. */
export function repeated<T>(items: T[], key: (item: T) => string): { item: T; times: number }[] {
  const seen = new Map<string, { item: T; times: number }>();
  for (const item of items) seen.set(key(item), { item, times: (seen.get(key(item))?.times ?? 0) + 1 });
  return [...seen.values()].filter(({ times }) => times > 1);
}
