/** Speculative read: actor look-up and query in one round trip. If it cannot settle the answer, the handler runs. */
import type { Request } from 'express';
import { QUERY_CANCELED, sqlStateOf } from '../../models/database/constraints.js';
import type { Requester } from '../../models/database/requests.js';
import { readInOneMessage } from '../../models/database/oneMessage.js';
import { readInCompany } from '../../models/database/readInCompany.js';
import type { AtReplica } from '../../models/database/tenancy.js';
import { Refusal } from '../../models/errors.js';
import { Actor, type ActorFacts, Person } from '../../models/identity/Actor.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { admit } from './admit.js';
import { actorOpening, personFacts } from './authentication.js';
import { readGiven, SAFE } from './input.js';
import { ordinaryOpening, ordinaryPerson } from './ordinaryPerson.js';
import { organizationInPath } from './organizationInPath.js';
import { requireAsked } from './policy.js';
import { JsonText, type Route } from './routes.js';

/** @param known receives the actor */
export async function readAhead(
  route: Route,
  request: Request,
  claims: TokenClaims,
  requester: Requester,
  known: (person: Person) => void,
  atReplica?: AtReplica,
): Promise<JsonText | null> {
  const { ahead } = route.spec;
  const given = ahead && SAFE.has(request.method) ? usable(route, request) : null;
  const statement = given && ahead?.statement({ ...given, userId: claims.sub });
  if (!given || !statement) return null;
  const ordinary = ahead?.whoever ? ordinaryOpening(claims, request) : null;
  const opening = ordinary ?? actorOpening(claims, request, !ahead?.whoever);
  const asked = atReplica
    ? readInOneMessage(opening, statement, requester, atReplica)
    : readInCompany(opening, statement, requester, ahead?.isLookUp === true);
  // A query that timed out here runs again in the handler with the handler's time limit.
  const read = await unlessItEndsIn([QUERY_CANCELED], asked);
  if (!read) return null;
  const [opened, row] = read;
  const facts = ordinary ? ordinaryPerson(opened, claims) : personFacts(opened, claims, atReplica === undefined);
  if (!facts) return null;
  // An impersonation always loads the whole actor.
  const actor = facts.belongs === undefined ? new Actor(facts as ActorFacts) : new Person(facts);
  known(actor);
  admit(route, actor);
  organizationInPath(route, actor, given.params);
  const text = ahead?.answer({ ...given, actor: actor as Actor }, row) ?? null;
  if (text === null) return null;
  requireAsked(route.spec.rule, actor);
  return new JsonText(text);
}

/** @returns null when Postgres answered with one of these SQLSTATEs; the handler then runs */
export async function unlessItEndsIn<T>(states: readonly string[], asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (states.includes(sqlStateOf(error) ?? '')) return null;
    throw error;
  }
}

/** The parsed input, or null for input that is refused later, once the actor is known. */
export function usable(route: Route, request: Request) {
  try {
    return readGiven(route, request);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
