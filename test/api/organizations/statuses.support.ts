import type { Reply } from '../../support/api.js';

/** Returns the statuses of answers, ascending: for races with any winner. */
export const statuses = (answers: Reply<unknown>[]): number[] =>
  answers.map(({ status }) => status).sort((one, other) => one - other);

/** One winner and nine losers. */
export const ONE_OF_TEN = [201, ...Array.from({ length: 9 }, () => 409)];
