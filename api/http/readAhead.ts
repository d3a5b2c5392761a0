/** The short way of a read: actor and answer in one message to Postgres. What it does not settle, the handler does. */
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

/**
 * @param known is told who asks
 * @returns null when the handler has to answer
 * @throws Refusal when the session does not stand, or this person may not use the route
 */
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
  // Whoever may have what Postgres gave up gets the time that the handler has.
  const read = await unlessItEndsIn([QUERY_CANCELED], asked);
  if (!read) return null;
  const [opened, row] = read;
  const facts = ordinary ? ordinaryPerson(opened, claims) : personFacts(opened, claims, atReplica === undefined);
  if (!facts) return null;
  // An impersonation is looked at as a whole, whatever was asked.
  const actor = facts.belongs === undefined ? new Actor(facts as ActorFacts) : new Person(facts);
  known(actor);
  admit(route, actor);
  organizationInPath(route, actor, given.params);
  const text = ahead?.answer({ ...given, actor: actor as Actor }, row) ?? null;
  if (text === null) return null;
  requireAsked(route.spec.rule, actor);
  return new JsonText(text);
}

/** @returns null when Postgres answered with one of these: the handler's way is the ordinary one */
export async function unlessItEndsIn<T>(states: readonly string[], asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (states.includes(sqlStateOf(error) ?? '')) return null;
    throw error;
  }
}

/** What was given, or null for what is refused later on, when it is known who asks. */
export function usable(route: Route, request: Request) {
  try {
    return readGiven(route, request);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
