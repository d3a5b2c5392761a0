/** The short way of a change of one's own: the look-up of the caller and the change in one message to Postgres. */
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

/** An impersonation's transactions write nothing: the handler's way says so. */
const READ_ONLY_TRANSACTION = '25006';

/**
 * @param known is told who asks
 * @returns null when the handler has to answer
 * @throws Refusal when the session does not stand, or this person may not use the route; nothing is changed then, since the
 * change has found no tenant (`load_changer.sql`)
 */
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
  // Whoever stands in the organization, which the rule asks for.
  admit(route, actor);
  return new JsonText(changesAhead.answer({ actor }, row as Record<string, unknown>));
}

/** What somebody who belongs could be refused, after it has changed something. @throws Error */
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
