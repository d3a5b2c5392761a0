import type { Row } from '../books.js';

/** What one rule examined, and the rows that break it. */
export interface Finding {
  /** The rule, as a sentence. */
  name: string;
  examined: number;
  violations: Row[];
}

/** Those of the values that come more than once, each once, with how often. */
export function repeated<T>(items: T[], key: (item: T) => string): { item: T; times: number }[] {
  const seen = new Map<string, { item: T; times: number }>();
  for (const item of items) seen.set(key(item), { item, times: (seen.get(key(item))?.times ?? 0) + 1 });
  return [...seen.values()].filter(({ times }) => times > 1);
}
