/**
 * Accepts an invitation by the first sign-in with the organization's own identity provider, which vouches for addresses
 * of its domain.
 */
import { currentOrganization, firstRow } from '../../database/rows.js';
import { createAccount } from '../../identity/createAccount.js';
import { lockPlaceholder } from './placeholders.js';
import { replacePlaceholder } from './replacePlaceholder.js';

interface Names {
  first_name: string | null;
  last_name: string | null;
}

/**
 * Creates the account of an invited address that has none; the sign-in counts as the acceptance. If the address already
 * has an account elsewhere, that account is not used: its owner accepts by mail or while signed in. If the address is
 * outside the organization's own domains, the database refuses to create the account (`app.prove_account`).
 * @param names as the provider sends them; if it sends none, the names typed in the invitation are used
 * @returns null when the address was not invited; `accountId` null when the invitation gives no access, or another
 * request just created an account for the address
 */
export async function acceptBySignIn(email: string, names: Names): Promise<{ accountId: string | null } | null> {
  const invited = await firstRow<{ id: string; lets_in: boolean }>(
    `SELECT u.id, EXISTS (SELECT FROM memberships m
              WHERE m.organization_id = $1 AND m.user_id = u.id AND app.gives_access(m.status))
            OR EXISTS (SELECT FROM invitations i WHERE i.organization_id = $1 AND i.user_id = u.id AND i.membership_id IS NULL
              AND i.state = 'open' AND i.expires_at > now()) AS lets_in
       FROM users u WHERE u.typed_email = $2 AND u.placeholder_in = $1`,
    [currentOrganization(), email],
  );
  if (!invited) return null;
  if (!invited.lets_in || (await lockPlaceholder(invited.id)) === null) return { accountId: null };
  const accountId = await createAccount({ email, ...names }, invited.id);
  if (accountId !== null) await replacePlaceholder(invited.id, accountId);
  return { accountId };
}
