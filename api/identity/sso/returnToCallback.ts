/**
 * People see the addresses of a sign-in only while they pass: whatever goes wrong there sends them back to the callback,
 * with an `error` that the front end has words for, and never shows them JSON.
 */
import type { ErrorRequestHandler, Request } from 'express';
import type { Refusal } from '../../../models/errors.js';
import { asRequestOf } from '../../../models/database/requests.js';
import { inPlatform } from '../../../models/database/tenancy.js';
import { connectionIdOf } from '../../../models/identity/sso/connections.js';
import type { SsoFailure } from '../../../models/identity/sso/errors.js';
import { platformOfFlow } from '../../../models/identity/sso/flows.js';
import { callbackWith, platformOf, type SsoPlatform } from '../../../models/identity/sso/redirects.js';
import { recordRefusal } from '../../../models/identity/sso/refusals.js';
import { SignInRefused } from '../../../models/identity/sso/signInRefused.js';
import { logFailure, refusalOf } from '../../http/errorHandler.js';
import { strangerOf } from '../../http/claimant.js';
import { requestFacts } from '../../http/requestFacts.js';

const NAVIGATION = /^\/api\/auth\/sso\/(saml|oauth)\/([^/]+)\/(login|callback|acs|sls)\/?$/;
const BY_BROWSERS = new Set(['GET', 'HEAD', 'POST']);

/** Whether browsers come to an address, and not programs. @param path a route's or a request's */
export const isNavigation = (path: string): boolean => NAVIGATION.test(path);

export const returnToCallback: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const passing = isNavigation(request.path) && BY_BROWSERS.has(request.method) && !response.headersSent;
  if (!passing) return next(error);
  const refusal = error instanceof SignInRefused ? null : refusalOf(error);
  if (refusal) logFailure(error, refusal, request);
  const answer = async () => {
    const refused = refusal ? await refusedBy(refusal, request) : (error as SignInRefused);
    const { connectionId, detail, platform } = refused.facts;
    const { id: requestId } = requestFacts(request);
    if (isToBeRecorded(refused)) await recordRefusal({ connectionId, reason: refused.reason, detail, requestId });
    const location = callbackWith(platform ?? 'web', 'error', refused.reason);
    response
      .set(refusal?.headers ?? {})
      .set({ Location: location, 'Cache-Control': 'no-store' })
      .status(302)
      .end();
  };
  // What was refused before it came to its route, because there was too much of it, takes no more room than the others.
  void asRequestOf(strangerOf(request), answer);
};

const REASONS: Record<string, SsoFailure> = { throttled: 'throttled', not_found: 'connection_inactive' };

async function refusedBy({ code, status }: Refusal, request: Request): Promise<SignInRefused> {
  const reason = status >= 500 ? 'temporarily_unavailable' : (REASONS[code] ?? 'request_invalid');
  const detail = reason === 'request_invalid' || status >= 500 ? { detail: code } : {};
  try {
    const platform = await platformOfRequest(request);
    return new SignInRefused(reason, { connectionId: await connectionOf(request), platform, ...detail });
  } catch {
    // Without the database nobody knows more.
    return new SignInRefused(reason, detail);
  }
}

async function connectionOf({ path }: Request): Promise<string | undefined> {
  const [, kind, slug] = NAVIGATION.exec(path) as unknown as [string, 'saml' | 'oauth', string];
  return (await inPlatform(() => connectionIdOf(kind, slug.toLowerCase()), { readOnly: true })) ?? undefined;
}

/** Where the person waits: as the address says, or the sign-in that it belongs to. */
async function platformOfRequest({ originalUrl, body }: Request): Promise<SsoPlatform> {
  const query = new URL(originalUrl, 'http://callback.invalid').searchParams;
  const form = Buffer.isBuffer(body) ? new URLSearchParams(body.toString('latin1')) : null;
  const flowId = query.get('state') ?? query.get('RelayState') ?? form?.get('RelayState');
  return (flowId && (await platformOfFlow(flowId))) || platformOf(query.get('platform'));
}

const TOLD_EVERY_MS = 60_000;
const MOST_TOLD = 1_000;
const toldAt = new Map<string, number>();

/** Of a connection whose sign-ins are throttled it is said once a minute: what keeps the flood out must not write for it. */
function isToBeRecorded({ reason, facts: { connectionId = '' } }: SignInRefused): boolean {
  if (reason !== 'throttled') return true;
  const now = performance.now();
  if (now - (toldAt.get(connectionId) ?? -TOLD_EVERY_MS) < TOLD_EVERY_MS) return false;
  if (toldAt.size >= MOST_TOLD) toldAt.clear();
  toldAt.set(connectionId, now);
  return true;
}
