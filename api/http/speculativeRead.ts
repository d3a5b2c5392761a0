/**
 * Speculative read: the look-up of the actor and the query of the route in one round trip. If their results are not
 * enough for a response, the handler runs.
 */
import type { Request } from 'express';
import { QUERY_CANCELED, sqlStateOf } from '../../models/database/constraints.js';
import type { Requester } from '../../models/database/connectionQuota.js';
import { readPipelined } from '../../models/database/pipelinedTransaction.js';
import type { AtReplica } from '../../models/database/tenancy.js';
import { Refusal } from '../../models/errors.js';
import { Actor, type ActorFacts, Person } from '../../models/identity/Actor.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { admit } from './admit.js';
import { actorPreamble, personFacts } from './authentication.js';
import { parseInput, SAFE } from './input.js';
import { organizationInPath } from './organizationInPath.js';
import { requireRuleChecked } from './policy.js';
import { JsonText, type Route } from './routes.js';

/**
 * Returns the response of a route from a speculative read; null: the handler must run.
 * @param onActor receives the actor
 */
export async function readSpeculatively(
  route: Route,
  request: Request,
  claims: TokenClaims,
  requester: Requester,
  onActor: (person: Person) => void,
  atReplica?: AtReplica,
): Promise<JsonText | null> {
  const { singleMessageRead } = route.spec;
  const input = singleMessageRead && SAFE.has(request.method) ? parseInputIfValid(route, request) : null;
  const statement = input && singleMessageRead?.statement({ ...input, userId: claims.sub });
  if (!input || !statement) return null;
  const preamble = actorPreamble(claims, request, !singleMessageRead?.skipMemberships);
  // A query that timed out here runs again in the handler with the handler's time limit.
  const result = await nullIfCanceled(readPipelined(preamble, statement, requester, atReplica));
  if (!result) return null;
  const [actorRow, row] = result;
  const facts = personFacts(actorRow, claims, atReplica === undefined);
  // `belongs` is missing if offices and memberships were loaded. They are always loaded for an impersonation, even if
  // the route skips them.
  const actor = facts.belongs === undefined ? new Actor(facts as ActorFacts) : new Person(facts);
  onActor(actor);
  admit(route, actor);
  organizationInPath(route, actor, input.params);
  const text = singleMessageRead?.answer({ ...input, actor: actor as Actor }, row) ?? null;
  if (text === null) return null;
  requireRuleChecked(route.spec.rule, actor);
  return new JsonText(text);
}

async function nullIfCanceled<T>(query: Promise<T>): Promise<T | null> {
  try {
    return await query;
  } catch (error) {
    if (sqlStateOf(error) === QUERY_CANCELED) return null;
    throw error;
  }
}

/** The parsed input, or null for input that is refused later, once the actor is known. */
function parseInputIfValid(route: Route, request: Request) {
  try {
    return parseInput(route, request);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
