/** Speculative read: actor look-up and query in one round trip. If it cannot settle the answer, the handler runs. */
import type { Request } from 'express';
import { QUERY_CANCELED, sqlStateOf } from '../../models/database/constraints.js';
import type { Requester } from '../../models/database/connectionQuota.js';
import { readPipelined } from '../../models/database/pipelinedTransaction.js';
import { readInBatch } from '../../models/database/readBatch.js';
import type { AtReplica } from '../../models/database/tenancy.js';
import { Refusal } from '../../models/errors.js';
import { Actor, type ActorFacts, Person } from '../../models/identity/Actor.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { admit } from './admit.js';
import { actorPreamble, personFacts } from './authentication.js';
import { parseInput, SAFE } from './input.js';
import { fastPreamble, fastPersonFacts } from './fastSessionLookup.js';
import { organizationInPath } from './organizationInPath.js';
import { requireRuleChecked } from './policy.js';
import { JsonText, type Route } from './routes.js';

/** @param onActor receives the actor */
export async function readSpeculatively(
  route: Route,
  request: Request,
  claims: TokenClaims,
  requester: Requester,
  onActor: (person: Person) => void,
  atReplica?: AtReplica,
): Promise<JsonText | null> {
  const { singleMessageRead: ahead } = route.spec;
  const input = ahead && SAFE.has(request.method) ? parseInputIfValid(route, request) : null;
  const statement = input && ahead?.statement({ ...input, userId: claims.sub });
  if (!input || !statement) return null;
  const fast = ahead?.skipMemberships ? fastPreamble(claims, request) : null;
  const preamble = fast ?? actorPreamble(claims, request, !ahead?.skipMemberships);
  const query = atReplica
    ? readPipelined(preamble, statement, requester, atReplica)
    : readInBatch(preamble, statement, requester, ahead?.isLookUp === true);
  // A query that timed out here runs again in the handler with the handler's time limit.
  const result = await nullOnSqlState([QUERY_CANCELED], query);
  if (!result) return null;
  const [actorRow, row] = result;
  const facts = fast ? fastPersonFacts(actorRow, claims) : personFacts(actorRow, claims, atReplica === undefined);
  if (!facts) return null;
  // An impersonation always loads the whole actor.
  const actor = facts.belongs === undefined ? new Actor(facts as ActorFacts) : new Person(facts);
  onActor(actor);
  admit(route, actor);
  organizationInPath(route, actor, input.params);
  const text = ahead?.answer({ ...input, actor: actor as Actor }, row) ?? null;
  if (text === null) return null;
  requireRuleChecked(route.spec.rule, actor);
  return new JsonText(text);
}

/** @returns null when Postgres answered with one of these SQLSTATEs; the handler then runs */
export async function nullOnSqlState<T>(states: readonly string[], query: Promise<T>): Promise<T | null> {
  try {
    return await query;
  } catch (error) {
    if (states.includes(sqlStateOf(error) ?? '')) return null;
    throw error;
  }
}

/** The parsed input, or null for input that is refused later, once the actor is known. */
export function parseInputIfValid(route: Route, request: Request) {
  try {
    return parseInput(route, request);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
