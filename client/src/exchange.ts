/** Sends a request until it has its answer: repeats reads, and refreshes the session once. */
import { type Failure, failureOf, retryAfterOf } from './result.js';
import type { Session } from './session.js';
import { delay, unlessAborted } from './transport.js';

const MAX_RETRIES = 2;
/** A read is sent again after `Retry-After` only if that is at most this long. */
const MAX_RETRY_AFTER_SECONDS = 10;
/** Time before a read is sent again after a lost connection. */
const RECONNECT_SECONDS = 0.5;

/** An answer that is complete and a success, or a failure. */
export type Exchanged = { ok: true; answer: Response } | Failure;

/** @param deadline aborts when the time of the call is over, or when its caller aborts it */
export async function exchange(request: Request, session: Session, deadline: AbortSignal): Promise<Exchanged> {
  const isRead = request.method === 'GET';
  const sent = { requestId: request.headers.get('X-Request-Id') ?? '', changesNothing: isRead };
  let retries = isRead ? MAX_RETRIES : 0;
  let hasRefreshed = false;
  for (;;) {
    // A request can be sent once, so each attempt sends a copy.
    const { answer, version } = await session.send(request.clone(), deadline);
    if (answer?.ok) return { ok: true, answer };
    if (answer && !hasRefreshed && (await session.mayRefresh(answer))) {
      hasRefreshed = true;
      const refresh = await unlessAborted(session.refresh(version), deadline);
      // A change that was meant for an impersonated person is not made in the admin's own name.
      if (refresh?.outcome === 'ended' || (refresh?.outcome === 'restored' && !isRead)) return failureOf(answer, sent);
      // The request was refused, so it has changed nothing.
      if (!refresh || refresh.outcome === 'failed')
        return failureOf(refresh?.answer, { ...sent, changesNothing: true });
      continue;
    }
    const waitSeconds = answer ? retryAfterOf(answer) : RECONNECT_SECONDS;
    if (retries === 0 || waitSeconds === undefined || waitSeconds > MAX_RETRY_AFTER_SECONDS || deadline.aborted)
      return failureOf(answer, sent);
    retries -= 1;
    await unlessAborted(delay(waitSeconds * 1000), deadline);
  }
}
