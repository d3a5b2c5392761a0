import { refuse } from '../errors.js';

/** @returns the row. @throws Refusal not_found when there is none */
export function found<Row>(row: Row | null): Row {
  if (row === null) throw refuse.not_found();
  return row;
}
