/** Single-message write of the caller's own rows: actor look-up and change in one round trip. */
import type { Request } from 'express';
import { QUERY_CANCELED } from '../../models/database/constraints.js';
import type { Requester } from '../../models/database/connectionQuota.js';
import { writePipelinedIfAuthorized } from '../../models/database/pipelinedTransaction.js';
import { Person } from '../../models/identity/Actor.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { admit, isClosedToConfined } from './admit.js';
import { changerPreamble, personFacts } from './authentication.js';
import { isForAnyone } from './policy.js';
import { nullOnSqlState, parseInputIfValid } from './speculativeRead.js';
import { JsonText, type Route } from './routes.js';

/** Transactions of an impersonation are read-only; the handler then gives the proper answer. */
const READ_ONLY_TRANSACTION = '25006';

/** @param onActor receives the actor */
export async function writeInSingleMessage(
  route: Route,
  request: Request,
  claims: TokenClaims,
  requester: Requester,
  onActor: (person: Person) => void,
): Promise<JsonText | null> {
  const { singleMessageWrite: changesAhead } = route.spec;
  if (!changesAhead || !isForAnyone(route.spec.rule)) return null;
  const input = parseInputIfValid(route, request);
  if (!input) return null;
  const statement = changesAhead.statement({ body: input.body, userId: claims.sub });
  const query = writePipelinedIfAuthorized(changerPreamble(claims, request), statement, requester);
  const result = await nullOnSqlState([QUERY_CANCELED, READ_ONLY_TRANSACTION], query);
  if (!result) return null;
  const [actorRow, row] = result;
  const actor = new Person(personFacts(actorRow, claims));
  onActor(actor);
  // Safe after the write: the rule grants access to everybody in the organization.
  admit(route, actor);
  return new JsonText(changesAhead.answer({ actor }, row as Record<string, unknown>));
}

/** Requires a route open to all members: a refusal after the write would be too late. @throws Error */
export function requireOpenToAnyone(route: Route): void {
  const { method, path, spec } = route;
  const isOpen =
    spec.access === 'tenant' &&
    !spec.stepUp &&
    !isClosedToConfined(route) &&
    !path.includes(':') &&
    isForAnyone(spec.rule);
  if (spec.singleMessageWrite && !isOpen)
    throw new Error(`${method} ${path} has a singleMessageWrite but is not open to all members.`);
}
