/**
 * Decides which account an identity provider's assertion signs in to. An organization's provider can vouch only for
 * people of that organization. It gives no access to other people's accounts, even with a verified address.
 */
import { firstRow, oneRow, rows } from '../../database/rows.js';
import { emailAddress } from '../../fields.js';
import { identityUpstream } from '../upstream.js';
import { USER_ID_BY_EMAIL } from '../accounts.js';
import { createAccount } from '../createAccount.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { domainOf, type ActiveConnection } from './connections.js';
import type { SsoFailure } from './errors.js';
import { nameOf, type ProvenIdentity } from './provenIdentity.js';

export type Binding = { userId: string } | { failure: SsoFailure };

type ProviderSubject = Pick<ProvenIdentity, 'issuer' | 'subject'>;

/** An account, and whether this provider may sign it in. */
interface Holder {
  id: string;
  /** Whether the account is enabled, is not a platform admin's, and belongs to the organization. */
  is_allowed: boolean;
}

/** SQL condition: an identity provider of organization $1 may sign in to the account `u`. */
export const MAY_SIGN_IN = `u.disabled_at IS NULL AND NOT u.is_platform_admin AND EXISTS (
  SELECT FROM affiliations a WHERE a.user_id = u.id AND a.organization_id = $1)`;

/**
 * Finds, links or creates the account for the identity that the provider has proven. Call it inside `inTenant` of the
 * connection's organization.
 */
export async function bindIdentity(connection: ActiveConnection, proven: ProvenIdentity): Promise<Binding> {
  const email = usableAddress(proven.email);
  // OAuth signs in only addresses of the configured domains (spec: OAuth, 2), even if the identity is already linked.
  if (connection.kind === 'oauth') {
    if (email === null) return { failure: 'email_missing' };
    if (!connection.domains.includes(domainOf(email))) return { failure: 'email_domain_not_allowed' };
  }
  const linked = await findLinked(connection, proven);
  if (linked) return linked.is_allowed ? { userId: linked.id } : refuseLinked(linked.id, connection);
  if (email === null) return { failure: 'email_missing' };
  if (!proven.emailVerified) return { failure: 'email_unverified' };
  const owner = await findByEmail(connection.organization_id, email);
  const userId = owner.is_allowed
    ? owner.id
    : owner.is_new_here
      ? await createOrInvite(connection, email, proven)
      : null;
  if (userId === null) return { failure: 'no_account' };
  return (await link(connection, proven, userId)) ? { userId } : { failure: 'access_ended' };
}

const usableAddress = (email: string | null): string | null => emailAddress.safeParse(email).data ?? null;

const findLinked = (connection: ActiveConnection, { issuer, subject }: ProviderSubject): Promise<Holder | null> =>
  firstRow<Holder>(
    `WITH used AS (
       UPDATE sso_identities SET last_used_at = now()
        WHERE organization_id = $1 AND connection_id = $2 AND issuer = $3 AND subject = $4 RETURNING user_id)
     SELECT u.id, ${MAY_SIGN_IN} AS is_allowed FROM used JOIN users u ON u.id = used.user_id`,
    [connection.organization_id, connection.id, issuer, subject],
  );

async function refuseLinked(userId: string, { id }: ActiveConnection): Promise<Binding> {
  await recordSecurityEvent({ userId, kind: 'sso.refused', details: { connection: id } });
  return { failure: 'access_ended' };
}

interface AddressOwner {
  /** The account that has the address; null when no account has it. */
  id: string | null;
  is_allowed: boolean;
  /** Whether no account has the address and its domain is a verified domain of the organization. */
  is_new_here: boolean;
}

/**
 * Looks up the account that has an address, with the same statement for every address. Outside the organization's own
 * verified domains, the caller cannot tell whether an address is free, invited, or used by an account of another
 * organization. Inside them the organization controls the mailboxes anyway.
 */
const findByEmail = (organizationId: string, email: string): Promise<AddressOwner> =>
  oneRow<AddressOwner>(
    `SELECT who.id, u.id IS NOT NULL AND ${MAY_SIGN_IN.replace('$1', '$2')} AS is_allowed,
            who.id IS NULL AND EXISTS (SELECT FROM verified_domains v WHERE v.organization_id = $2 AND v.domain = $3)
              AS is_new_here
       FROM (SELECT ${USER_ID_BY_EMAIL} AS id) who LEFT JOIN users u ON u.id = who.id`,
    [email, organizationId, domainOf(email)],
  );

/**
 * Returns an account for an unused address in the organization's verified domains: accepts the invitation to it, or
 * creates an account if the connection allows that.
 */
async function createOrInvite(
  connection: ActiveConnection,
  email: string,
  proven: ProvenIdentity,
): Promise<string | null> {
  const names = { first_name: nameOf(proven.firstName), last_name: nameOf(proven.lastName) };
  const invited = await identityUpstream().acceptBySignIn(email, names);
  if (!invited) return provision(connection, email, proven);
  return invited.accountId ?? findConcurrentlyCreated(connection, proven);
}

/**
 * Creates an account and a membership for an unused address to which there is no invitation.
 * @returns null if the connection does not create accounts for this address
 */
async function provision(connection: ActiveConnection, email: string, proven: ProvenIdentity): Promise<string | null> {
  const { auto_provision, provision_chapter_id: chapter, domains } = connection;
  if (!auto_provision || chapter === null || !domains.includes(domainOf(email))) return null;
  if (!(await identityUpstream().takesMembers(chapter))) return null;
  const first_name = nameOf(proven.firstName) ?? (email.split('@')[0] as string).slice(0, 100);
  const last_name = nameOf(proven.lastName) ?? '(unknown)';
  const userId = await createAccount({ email, first_name, last_name });
  if (userId === null) return findConcurrentlyCreated(connection, proven);
  await identityUpstream().addPerson(chapter, userId, { role: 'member', status: connection.provision_status });
  await recordSecurityEvent({ userId, kind: 'sso.provisioned', details: { connection: connection.id } });
  return userId;
}

/**
 * Finds the account that a concurrent sign-in of the same identity has just created.
 * @returns null when the address now belongs to another person's account
 */
async function findConcurrentlyCreated(connection: ActiveConnection, proven: ProvenIdentity): Promise<string | null> {
  const linked = await findLinked(connection, proven);
  return linked?.is_allowed ? linked.id : null;
}

/**
 * Links the identity with the account.
 * @returns false when a concurrent sign-in linked the identity with another account
 */
async function link(
  connection: ActiveConnection,
  { issuer, subject }: ProviderSubject,
  userId: string,
): Promise<boolean> {
  const inserted = await rows(
    `INSERT INTO sso_identities (organization_id, connection_id, user_id, issuer, subject) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT sso_identities_unique DO NOTHING RETURNING id`,
    [connection.organization_id, connection.id, userId, issuer, subject],
  );
  if (inserted.length === 0) return (await findLinked(connection, { issuer, subject }))?.id === userId;
  await recordSecurityEvent({ userId, kind: 'sso.linked', details: { connection: connection.id } });
  await enqueueNotice({ userId, kind: 'sso_linked', facts: { provider: connection.name } });
  return true;
}
