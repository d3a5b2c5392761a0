/** Throttle hits of a request, recorded until it is known whether its token is valid. */
import type { Request } from 'express';

const SPENT = Symbol('spent');
type Spending = Request & { [SPENT]?: (() => unknown)[] };

/** @param back refunds the hit; never rejects */
export function noteSpent(request: Spending, back: () => unknown): void {
  (request[SPENT] ??= []).push(back);
}

/** Refunds the hits of a request whose token turned out to be invalid: the user named in it did not send it. */
export function giveBack(request: Spending): void {
  for (const back of request[SPENT]?.splice(0) ?? []) void back();
}
