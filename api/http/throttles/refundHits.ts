/** Throttle hits of a request, recorded until it is known whether its token is valid. */
import type { Request } from 'express';

const HITS = Symbol('spent');
type RequestWithHits = Request & { [HITS]?: (() => unknown)[] };

/**
 * Records a throttle hit, so that it can be refunded.
 * @param refund refunds the hit; never rejects
 */
export function recordHit(request: RequestWithHits, refund: () => unknown): void {
  (request[HITS] ??= []).push(refund);
}

/** Refunds the hits of a request whose token turned out to be invalid: the user named in it did not send it. */
export function refundHits(request: RequestWithHits): void {
  for (const refund of request[HITS]?.splice(0) ?? []) void refund();
}
