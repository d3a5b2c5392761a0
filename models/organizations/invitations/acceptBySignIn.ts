/** The organization's own identity provider vouches for somebody of its own domain whom the organization has invited. */
import { currentOrganization, firstRow } from '../../database/rows.js';
import { createAccount } from '../../identity/createAccount.js';
import { lockPlaceholder } from './placeholders.js';
import { replacePlaceholder } from './replacePlaceholder.js';

interface Names {
  first_name: string | null;
  last_name: string | null;
}

/**
 * Makes the account of an address that has none and that the tenant has invited: signing in there is the acceptance.
 * An account that the address has elsewhere is never reached this way: its person accepts by mail, or signed in. So does
 * whoever is invited by an address of another domain, for which the database lets this make no account (`app.prove_account`).
 * @param names as the provider says them; the typed ones where it does not
 * @returns null when nobody was invited; without an account when what waits lets nobody in, or somebody else has just got
 *   the address
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
