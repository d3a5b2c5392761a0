import type { Reply } from '../../support/api.js';

/** The statuses of answers, ascending: for races, where anybody may win. */
export const statuses = (answers: Reply<unknown>[]): number[] =>
  answers.map(({ status }) => status).sort((one, other) => one - other);

/** One that won and nine that lost. */
export const ONE_OF_TEN = [201, ...Array.from({ length: 9 }, () => 409)];
