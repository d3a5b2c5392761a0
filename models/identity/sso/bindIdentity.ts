/**
 * Whose account an identity provider's word opens. An organization's provider speaks for its own people only: what it
 * says about anybody else, also with a verified address, opens nothing.
 */
import { firstRow, oneRow, rows } from '../../database/rows.js';
import { emailAddress } from '../../fields.js';
import { aboveIdentity } from '../above.js';
import { USER_ID_BY_EMAIL } from '../accounts.js';
import { createAccount } from '../createAccount.js';
import { noticePerson } from '../notices/noticePerson.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { domainOf, type ActiveConnection } from './connections.js';
import type { SsoFailure } from './errors.js';
import { nameOf, type ProvenIdentity } from './provenIdentity.js';

export type Binding = { userId: string } | { failure: SsoFailure };

type Named = Pick<ProvenIdentity, 'issuer' | 'subject'>;

/** A person, as far as it decides about sign-in. */
interface Holder {
  id: string;
  /** Not disabled, not a platform admin, and in the organization. */
  stands: boolean;
}

/** SQL for whether `u` may be signed in by a provider of the organization $1. */
export const STANDS = `u.disabled_at IS NULL AND NOT u.is_platform_admin AND EXISTS (
  SELECT FROM affiliations a WHERE a.user_id = u.id AND a.organization_id = $1)`;

/** Inside of `inTenant` of the connection's organization. */
export async function bindIdentity(connection: ActiveConnection, proven: ProvenIdentity): Promise<Binding> {
  const email = usableAddress(proven.email);
  // Sign-in by OAuth is for the configured domains only (spec: OAuth, 2), linked or not.
  if (connection.kind === 'oauth') {
    if (email === null) return { failure: 'email_missing' };
    if (!connection.domains.includes(domainOf(email))) return { failure: 'email_domain_not_allowed' };
  }
  const linked = await findLinked(connection, proven);
  if (linked) return linked.stands ? { userId: linked.id } : refuseLinked(linked.id, connection);
  if (email === null) return { failure: 'email_missing' };
  if (!proven.emailVerified) return { failure: 'email_unverified' };
  const held = await findByEmail(connection.organization_id, email);
  const userId = held.stands ? held.id : held.is_new_here ? await bringIn(connection, email, proven) : null;
  if (userId === null) return { failure: 'no_account' };
  return (await link(connection, proven, userId)) ? { userId } : { failure: 'access_ended' };
}

const usableAddress = (email: string | null): string | null => emailAddress.safeParse(email).data ?? null;

const findLinked = (connection: ActiveConnection, { issuer, subject }: Named): Promise<Holder | null> =>
  firstRow<Holder>(
    `WITH used AS (
       UPDATE sso_identities SET last_used_at = now()
        WHERE organization_id = $1 AND connection_id = $2 AND issuer = $3 AND subject = $4 RETURNING user_id)
     SELECT u.id, ${STANDS} AS stands FROM used JOIN users u ON u.id = used.user_id`,
    [connection.organization_id, connection.id, issuer, subject],
  );

async function refuseLinked(userId: string, { id }: ActiveConnection): Promise<Binding> {
  await recordSecurityEvent({ userId, kind: 'sso.refused', details: { connection: id } });
  return { failure: 'access_ended' };
}

interface Held {
  /** The account that has the address. */
  id: string | null;
  stands: boolean;
  /** Nobody has it, and it is of a domain that the platform has seen to be the organization's. */
  is_new_here: boolean;
}

/**
 * One statement for every address: who asks cannot tell one that nobody has from one that somebody elsewhere has, or
 * that was invited, but for the organization's own domains. There it rules over the mailboxes anyway; elsewhere it could
 * take strangers' addresses.
 */
const findByEmail = (organizationId: string, email: string): Promise<Held> =>
  oneRow<Held>(
    `SELECT who.id, u.id IS NOT NULL AND ${STANDS.replace('$1', '$2')} AS stands,
            who.id IS NULL AND EXISTS (SELECT FROM verified_domains v WHERE v.organization_id = $2 AND v.domain = $3)
              AS is_new_here
       FROM (SELECT ${USER_ID_BY_EMAIL} AS id) who LEFT JOIN users u ON u.id = who.id`,
    [email, organizationId, domainOf(email)],
  );

/** An account for an address of the organization's own that nobody uses: of somebody invited, or where the connection creates them. */
async function bringIn(connection: ActiveConnection, email: string, proven: ProvenIdentity): Promise<string | null> {
  const names = { first_name: nameOf(proven.firstName), last_name: nameOf(proven.lastName) };
  const invited = await aboveIdentity().acceptBySignIn(email, names);
  if (!invited) return provision(connection, email, proven);
  return invited.accountId ?? firstOfSeveral(connection, proven);
}

/** An account and a membership for an address that nobody uses or was invited by. @returns null when the connection creates none for it */
async function provision(connection: ActiveConnection, email: string, proven: ProvenIdentity): Promise<string | null> {
  const { auto_provision, provision_chapter_id: chapter, domains } = connection;
  if (!auto_provision || chapter === null || !domains.includes(domainOf(email))) return null;
  if (!(await aboveIdentity().takesMembers(chapter))) return null;
  const first_name = nameOf(proven.firstName) ?? (email.split('@')[0] as string).slice(0, 100);
  const last_name = nameOf(proven.lastName) ?? '(unknown)';
  const userId = await createAccount({ email, first_name, last_name });
  if (userId === null) return firstOfSeveral(connection, proven);
  await aboveIdentity().addPerson(chapter, userId, { role: 'member', status: connection.provision_status });
  await recordSecurityEvent({ userId, kind: 'sso.provisioned', details: { connection: connection.id } });
  return userId;
}

/** Whom another sign-in of this very identity made a moment ago. @returns null when the address went to somebody else */
async function firstOfSeveral(connection: ActiveConnection, proven: ProvenIdentity): Promise<string | null> {
  const linked = await findLinked(connection, proven);
  return linked?.stands ? linked.id : null;
}

/** @returns false when the identity was linked with somebody else a moment ago */
async function link(connection: ActiveConnection, { issuer, subject }: Named, userId: string): Promise<boolean> {
  const made = await rows(
    `INSERT INTO sso_identities (organization_id, connection_id, user_id, issuer, subject) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT sso_identities_unique DO NOTHING RETURNING id`,
    [connection.organization_id, connection.id, userId, issuer, subject],
  );
  if (made.length === 0) return (await findLinked(connection, { issuer, subject }))?.id === userId;
  await recordSecurityEvent({ userId, kind: 'sso.linked', details: { connection: connection.id } });
  await noticePerson({ userId, kind: 'sso_linked', facts: { provider: connection.name } });
  return true;
}
