/**
 * Reports sign-in errors at the callback. A browser only passes through the addresses of a sign-in, so every failure
 * there redirects to the callback with an `error` that the front end explains, and never shows JSON.
 */
import type { ErrorRequestHandler, Request } from 'express';
import type { Refusal } from '../../../models/errors.js';
import { withRequestLimits } from '../../../models/database/connectionQuota.js';
import { inPlatform } from '../../../models/database/tenancy.js';
import { findConnectionId } from '../../../models/identity/sso/connections.js';
import type { SsoFailure } from '../../../models/identity/sso/errors.js';
import { platformOfFlow } from '../../../models/identity/sso/flows.js';
import { callbackWith, platformOf, type SsoPlatform } from '../../../models/identity/sso/redirects.js';
import { recordRefusal } from '../../../models/identity/sso/refusals.js';
import { SignInRefused } from '../../../models/identity/sso/signInRefused.js';
import { logFailure, refusalOf } from '../../http/errorHandler.js';
import { anonymousClientOf } from '../../http/quotaKey.js';
import { requestFacts } from '../../http/requestFacts.js';

const NAVIGATION = /^\/api\/auth\/sso\/(saml|oauth)\/([^/]+)\/(login|callback|acs|sls)\/?$/;
const BROWSER_METHODS = new Set(['GET', 'HEAD', 'POST']);

/**
 * Reports whether browsers, and not programs, navigate to an address.
 * @param path path of a route or of a request
 */
export const isNavigation = (path: string): boolean => NAVIGATION.test(path);

export const returnToCallback: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const isBrowserNavigation =
    isNavigation(request.path) && BROWSER_METHODS.has(request.method) && !response.headersSent;
  if (!isBrowserNavigation) return next(error);
  const refusal = error instanceof SignInRefused ? null : refusalOf(error);
  if (refusal) logFailure(error, refusal, request);
  const answer = async () => {
    const refused = refusal ? await refusedBy(refusal, request) : (error as SignInRefused);
    const { connectionId, detail, platform } = refused.facts;
    const { id: requestId } = requestFacts(request);
    if (shouldRecord(refused)) await recordRefusal({ connectionId, reason: refused.reason, detail, requestId });
    const location = callbackWith(platform ?? 'web', 'error', refused.reason);
    response
      .set(refusal?.headers ?? {})
      .set({ Location: location, 'Cache-Control': 'no-store' })
      .status(302)
      .end();
  };
  // The error may come from the connection quota, before the route ran, so recording it uses the quota of anonymous
  // clients.
  void withRequestLimits(anonymousClientOf(request), answer);
};

const REASONS: Record<string, SsoFailure> = { throttled: 'throttled', not_found: 'connection_inactive' };

async function refusedBy({ code, status }: Refusal, request: Request): Promise<SignInRefused> {
  // A 409 comes from a concurrent request, for example from another sign-in of the same person. A retry may succeed.
  const mayRetry = status >= 500 || status === 409;
  const reason = mayRetry ? 'temporarily_unavailable' : (REASONS[code] ?? 'request_invalid');
  const detail = mayRetry || reason === 'request_invalid' ? { detail: code } : {};
  try {
    const platform = await platformOfRequest(request);
    return new SignInRefused(reason, { connectionId: await connectionOf(request), platform, ...detail });
  } catch {
    // Without the database, connection and platform cannot be determined.
    return new SignInRefused(reason, detail);
  }
}

async function connectionOf({ path }: Request): Promise<string | undefined> {
  const [, kind, slug] = NAVIGATION.exec(path) as unknown as [string, 'saml' | 'oauth', string];
  return (await inPlatform(() => findConnectionId(kind, slug.toLowerCase()), { readOnly: true })) ?? undefined;
}

/** Returns the platform of the sign-in: from its flow, else from the address. */
async function platformOfRequest({ originalUrl, body }: Request): Promise<SsoPlatform> {
  const query = new URL(originalUrl, 'http://callback.invalid').searchParams;
  const form = Buffer.isBuffer(body) ? new URLSearchParams(body.toString('latin1')) : null;
  const flowId = query.get('state') ?? query.get('RelayState') ?? form?.get('RelayState');
  return (flowId && (await platformOfFlow(flowId))) || platformOf(query.get('platform'));
}

const RECORD_INTERVAL_MS = 60_000;
const MAX_TRACKED_CONNECTIONS = 1_000;
const lastRecordedAt = new Map<string, number>();

/**
 * Reports whether to record a refusal. Throttled sign-ins of one connection are recorded once a minute, so that a flood
 * of requests does not cause writes.
 */
function shouldRecord({ reason, facts: { connectionId = '' } }: SignInRefused): boolean {
  if (reason !== 'throttled') return true;
  const now = performance.now();
  if (now - (lastRecordedAt.get(connectionId) ?? -RECORD_INTERVAL_MS) < RECORD_INTERVAL_MS) return false;
  if (lastRecordedAt.size >= MAX_TRACKED_CONNECTIONS) lastRecordedAt.clear();
  lastRecordedAt.set(connectionId, now);
  return true;
}
