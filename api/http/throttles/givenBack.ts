/** Hits that a request has spent, until it is known whether they were anybody's to spend. */
import type { Request } from 'express';

const SPENT = Symbol('spent');
type Spending = Request & { [SPENT]?: (() => unknown)[] };

/** @param back takes the hit back; never rejects */
export function noteSpent(request: Spending, back: () => unknown): void {
  (request[SPENT] ??= []).push(back);
}

/** For a request whose token turned out to be worth nothing: whoever is named in it has not asked. */
export function giveBack(request: Spending): void {
  for (const back of request[SPENT]?.splice(0) ?? []) void back();
}
