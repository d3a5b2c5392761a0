/** Whoever reads the mail of an invitation accepts it, with the account that the address has or a new one. */
import type { Origin } from '../../database/connection.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { invalid } from '../../errors.js';
import { type AccountOrganization, findOrganization, USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { createAccount } from '../../identity/createAccount.js';
import { identityErrors } from '../../identity/errors.js';
import { inHashSlot } from '../../identity/hashSlots.js';
import { hashPassword } from '../../identity/password/passwordHash.js';
import { keepNewPassword } from '../../identity/password/keepNewPassword.js';
import { type PasswordOwner, requireGoodPassword } from '../../identity/password/passwordRules.js';
import { hashToken } from '../../identity/secretTokens.js';
import { organizationsErrors } from '../errors.js';
import { invitationErrors } from './errors.js';
import { lockPlaceholder } from './placeholders.js';
import { replacePlaceholder } from './replacePlaceholder.js';

export interface Acceptance {
  token: string;
  password: string | undefined;
  origin: Origin;
  afterCommit: (outboxIds: string[]) => void;
}

/** An open invitation, as its token or its address finds it. */
export interface OpenInvitation {
  id: string;
  organization_id: string;
  /** The placeholder. */
  user_id: string;
}

/** The invitation of a mail, before a tenant is known. @throws Refusal invitation_invalid */
export async function findByToken(token: string): Promise<OpenInvitation> {
  const found = await inPlatform(
    () => firstRow<OpenInvitation>('SELECT * FROM app.invitation_of_token($1)', [hashToken(token)]),
    { readOnly: true },
  );
  if (!found) throw invitationErrors.invitation_invalid();
  return found;
}

/**
 * The token proves the mailbox, so an account of this address is meant, whoever is signed in; somebody without one chooses
 * a password. One that is refused does not use the token up. Opens its own transactions, since no connection may be held
 * while a hash is made.
 * @returns the organization
 * @throws Refusal invitation_invalid, account_disabled, membership_exists, password_not_kept; validation_error naming password
 */
export async function acceptInvitation({
  token,
  password,
  origin,
  afterCommit,
}: Acceptance): Promise<AccountOrganization> {
  const invitation = await findByToken(token);
  const passwordHash = await hashOf(password, invitation.user_id);
  const work = async () => {
    const email = await lockOpen(invitation, hashToken(token));
    if (email === null) throw invitationErrors.invitation_invalid();
    const account = await lockAccount(email);
    // Whoever chose a password believes that it is theirs from now on.
    if (account && passwordHash !== null && !account.lacksPassword) throw identityErrors.password_not_kept();
    // Before they join: an address that another organization linked falls with that, and so does a password that came by it.
    if (account && passwordHash !== null) await keepNewPassword(account.id, passwordHash);
    await join(invitation, account?.id ?? (await openAccount(invitation.user_id, email, passwordHash)));
    return (await findOrganization(invitation.organization_id)) as AccountOrganization;
  };
  return inTenant(invitation.organization_id, work, { origin, afterCommit });
}

interface Prospect extends Omit<PasswordOwner, 'email'> {
  /** Null when the invitation was answered in the same moment. */
  email: string | null;
  exists: boolean;
  has_own_password: boolean;
}

/** @throws Refusal invitation_invalid; validation_error naming password: one is missing, weak, or there is one already */
async function hashOf(password: string | undefined, placeholderId: string): Promise<string | null> {
  const prospect = await inPlatform(() => readProspect(placeholderId), { readOnly: true });
  if (password === undefined) {
    if (prospect.email !== null && !prospect.exists)
      throw invalid('password', 'Choose a password: this address has no account yet.');
    return null;
  }
  if (prospect.has_own_password) {
    throw invalid('password', 'This address has an account with a password. Accept without one.');
  }
  const { email } = prospect;
  if (email === null) throw invitationErrors.invitation_invalid();
  await requireGoodPassword(password, { ...prospect, email }, 'password');
  return inHashSlot(() => hashPassword(password));
}

const readProspect = (placeholderId: string): Promise<Prospect> =>
  oneRow<Prospect>(
    `SELECT p.typed_email AS email, p.first_name, p.last_name, a.id IS NOT NULL AS exists,
            (a.password_hash IS NOT NULL AND a.password_given_in IS NULL) IS TRUE AS has_own_password
       FROM users p LEFT JOIN users a ON a.id = ${USER_ID_BY_EMAIL.replaceAll('$1', 'p.typed_email')} WHERE p.id = $1`,
    [placeholderId],
  );

/**
 * Locks an invitation and what waits for its answer.
 * @param tokenHash the one it must have; null where something else proves the mailbox
 * @returns the address; null when it is not open any more, or the organization is suspended
 */
export async function lockOpen({ id, user_id }: OpenInvitation, tokenHash: string | null): Promise<string | null> {
  const email = await lockPlaceholder(user_id);
  const open = await firstRow(
    `SELECT FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.is_active
      WHERE i.organization_id = $1 AND i.id = $2 AND i.state = 'open' AND i.expires_at > now()
        AND ($3::text IS NULL OR i.token_hash = $3) FOR UPDATE OF i`,
    [currentOrganization(), id, tokenHash],
  );
  return open && email;
}

interface AcceptingAccount {
  id: string;
  /** It had none, or one that an admin handed out, which falls with the acceptance. */
  lacksPassword: boolean;
}

/** The account that an address proves, locked; null when there is none. @throws Refusal account_disabled */
export async function lockAccount(email: string): Promise<AcceptingAccount | null> {
  const found = await firstRow<AcceptingAccount & { disabled: boolean }>(
    `SELECT id, disabled_at IS NOT NULL AS disabled,
            password_hash IS NULL OR password_given_in IS NOT NULL AS "lacksPassword"
       FROM users WHERE id = ${USER_ID_BY_EMAIL} FOR NO KEY UPDATE`,
    [email],
  );
  if (found?.disabled) throw identityErrors.account_disabled();
  return found;
}

/**
 * An account with the typed names.
 * @returns its id
 * @throws Refusal validation_error naming password; password_not_kept when somebody else has just got the address, by
 *   another invitation
 */
export async function openAccount(placeholderId: string, email: string, password_hash: string | null): Promise<string> {
  if (password_hash === null) throw invalid('password', 'Choose a password: this address has no account yet.');
  const made = await createAccount({ email, first_name: null, last_name: null, password_hash }, placeholderId);
  if (made === null) throw identityErrors.password_not_kept();
  return made;
}

/** @throws Refusal membership_exists when just this invitation cannot become the account's */
export async function join(invitation: OpenInvitation, accountId: string): Promise<void> {
  const accepted = await replacePlaceholder(invitation.user_id, accountId);
  if (accepted.includes(invitation.id)) return;
  throw organizationsErrors.membership_exists(
    'You have a membership in this chapter already. Decline this invitation, or ask an administrator.',
  );
}
