/** Single-message write of the caller's own rows: actor look-up and change in one round trip. */
import type { Request } from 'express';
import { QUERY_CANCELED } from '../../models/database/constraints.js';
import type { Requester } from '../../models/database/requests.js';
import { changeInOneMessage } from '../../models/database/oneMessage.js';
import { Person } from '../../models/identity/Actor.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { admit, isClosedToConfined } from './admit.js';
import { changerOpening, personFacts } from './authentication.js';
import { isForAnyone } from './policy.js';
import { unlessItEndsIn, usable } from './readAhead.js';
import { JsonText, type Route } from './routes.js';

/** Transactions of an impersonation are read-only; the handler then gives the proper answer. */
const READ_ONLY_TRANSACTION = '25006';

/** @param known receives the actor */
export async function changeAhead(
  route: Route,
  request: Request,
  claims: TokenClaims,
  requester: Requester,
  known: (person: Person) => void,
): Promise<JsonText | null> {
  const { changesAhead } = route.spec;
  if (!changesAhead || !isForAnyone(route.spec.rule)) return null;
  const given = usable(route, request);
  if (!given) return null;
  const statement = changesAhead.statement({ body: given.body, userId: claims.sub });
  const changing = changeInOneMessage(changerOpening(claims, request), statement, requester);
  const changed = await unlessItEndsIn([QUERY_CANCELED, READ_ONLY_TRANSACTION], changing);
  if (!changed) return null;
  const [opened, row] = changed;
  const actor = new Person(personFacts(opened, claims));
  known(actor);
  // The rule admits everybody who belongs to the organization.
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
  if (spec.changesAhead && !isOpen)
    throw new Error(`${method} ${path} is not open to anyone: it changes nothing ahead.`);
}
