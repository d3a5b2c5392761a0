/** Accepts an invitation by the token in its mail, with the existing account of the address or a new one. */
import type { Origin } from '../../database/connection.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { invalid } from '../../errors.js';
import { type AccountOrganization, findOrganization, USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { createAccount } from '../../identity/createAccount.js';
import { identityErrors } from '../../identity/errors.js';
import { inHashSlot } from '../../identity/hashSlots.js';
import { hashPassword } from '../../identity/password/passwordHash.js';
import { storeNewPassword } from '../../identity/password/storeNewPassword.js';
import { type PasswordOwner, requireGoodPassword } from '../../identity/password/passwordRules.js';
import { hashToken } from '../../identity/secretTokens.js';
import { organizationsErrors } from '../errors.js';
import { invitationErrors } from './errors.js';
import { lockPlaceholder } from './placeholders.js';
import { replacePlaceholder } from './replacePlaceholder.js';

export interface AcceptanceRequest {
  token: string;
  password: string | undefined;
  origin: Origin;
  afterCommit: (outboxIds: string[]) => void;
}

/** An open invitation, found by its token or its address. */
export interface OpenInvitation {
  id: string;
  organization_id: string;
  /** The placeholder that stands for the invited person until they accept. */
  user_id: string;
}

/** Returns the invitation of a token, before the tenant is known. @throws Refusal invitation_invalid */
export async function findByToken(token: string): Promise<OpenInvitation> {
  const invitation = await inPlatform(
    () => firstRow<OpenInvitation>('SELECT * FROM app.invitation_of_token($1)', [hashToken(token)]),
    { readOnly: true },
  );
  if (!invitation) throw invitationErrors.invitation_invalid();
  return invitation;
}

/**
 * Accepts an invitation. The token verifies the mailbox, so the account of this address is used, regardless of who is
 * signed in. A person without an account chooses a password; a refused password does not use up the token. Opens its
 * own transactions, so that no connection is held while the password is hashed.
 * @returns the organization
 * @throws Refusal invitation_invalid, account_disabled, membership_exists, password_not_kept; validation_error naming
 * password
 */
export async function acceptInvitation({
  token,
  password,
  origin,
  afterCommit,
}: AcceptanceRequest): Promise<AccountOrganization> {
  const invitation = await findByToken(token);
  const passwordHash = await hashNewPassword(password, invitation.user_id);
  const work = async () => {
    const email = await lockOpenInvitation(invitation, hashToken(token));
    if (email === null) throw invitationErrors.invitation_invalid();
    const account = await lockAccount(email);
    // Between the check above and this lock, the account has got a password of its own. Refuse here, because the person
    // would expect the newly typed password to work.
    if (account && passwordHash !== null && !account.lacksPassword) throw identityErrors.password_not_kept();
    // Set the password before joining: joining removes a password that an admin set, as well as addresses that another
    // organization linked to the account.
    if (account && passwordHash !== null) await storeNewPassword(account.id, passwordHash);
    await joinOrganization(
      invitation,
      account?.id ?? (await createInvitedAccount(invitation.user_id, email, passwordHash)),
    );
    return (await findOrganization(invitation.organization_id)) as AccountOrganization;
  };
  return inTenant(invitation.organization_id, work, { origin, afterCommit });
}

interface InvitedAccount extends Omit<PasswordOwner, 'email'> {
  /** The invited address; null if the invitation was accepted or declined in the meantime. */
  email: string | null;
  exists: boolean;
  has_own_password: boolean;
}

/**
 * Validates and hashes the password. @throws Refusal invitation_invalid; validation_error naming password if it is
 * missing, weak, or the account already has one
 */
async function hashNewPassword(password: string | undefined, placeholderId: string): Promise<string | null> {
  const invited = await inPlatform(() => readInvitedAccount(placeholderId), { readOnly: true });
  if (password === undefined) {
    if (invited.email !== null && !invited.exists)
      throw invalid('password', 'Choose a password: this address has no account yet.');
    return null;
  }
  if (invited.has_own_password) {
    throw invalid('password', 'This address already has an account with a password. Leave this out.');
  }
  const { email } = invited;
  if (email === null) throw invitationErrors.invitation_invalid();
  await requireGoodPassword(password, { ...invited, email }, 'password');
  return inHashSlot(() => hashPassword(password));
}

const readInvitedAccount = (placeholderId: string): Promise<InvitedAccount> =>
  oneRow<InvitedAccount>(
    `SELECT p.typed_email AS email, p.first_name, p.last_name, a.id IS NOT NULL AS exists,
            (a.password_hash IS NOT NULL AND a.password_given_in IS NULL) IS TRUE AS has_own_password
       FROM users p LEFT JOIN users a ON a.id = ${USER_ID_BY_EMAIL.replaceAll('$1', 'p.typed_email')} WHERE p.id = $1`,
    [placeholderId],
  );

/**
 * Locks an invitation with its placeholder and the rows of the placeholder.
 * @param tokenHash the hash that the invitation must have; null if the mailbox was verified another way
 * @returns the address; null when the invitation is not open any more, or the organization is suspended
 */
export async function lockOpenInvitation(
  { id, user_id }: OpenInvitation,
  tokenHash: string | null,
): Promise<string | null> {
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
  /** Whether the account has no password, or only one that an admin set, which the acceptance replaces. */
  lacksPassword: boolean;
}

/** Locks the account that owns a verified address; null when there is none. @throws Refusal account_disabled */
export async function lockAccount(email: string): Promise<AcceptingAccount | null> {
  const account = await firstRow<AcceptingAccount & { disabled: boolean }>(
    `SELECT id, disabled_at IS NOT NULL AS disabled,
            password_hash IS NULL OR password_given_in IS NOT NULL AS "lacksPassword"
       FROM users WHERE id = ${USER_ID_BY_EMAIL} FOR NO KEY UPDATE`,
    [email],
  );
  if (account?.disabled) throw identityErrors.account_disabled();
  return account;
}

/**
 * Creates an account with the names from the invitation.
 * @returns its id
 * @throws Refusal validation_error naming password; password_not_kept when another invitation just created an account
 * for the address
 */
export async function createInvitedAccount(
  placeholderId: string,
  email: string,
  password_hash: string | null,
): Promise<string> {
  if (password_hash === null) throw invalid('password', 'Choose a password: this address has no account yet.');
  const accountId = await createAccount({ email, first_name: null, last_name: null, password_hash }, placeholderId);
  if (accountId === null) throw identityErrors.password_not_kept();
  return accountId;
}

/**
 * Replaces the placeholder by the account. @throws Refusal membership_exists when the account already has a membership
 * in the invitation's chapter
 */
export async function joinOrganization(invitation: OpenInvitation, accountId: string): Promise<void> {
  const accepted = await replacePlaceholder(invitation.user_id, accountId);
  if (accepted.includes(invitation.id)) return;
  throw organizationsErrors.membership_exists(
    'You already have a membership in this chapter. Decline this invitation, or ask an administrator.',
  );
}
