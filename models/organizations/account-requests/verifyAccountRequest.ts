import { changeRow, now } from '../../database/model/change.js';
import { firstRow, currentOrganization } from '../../database/rows.js';
import { hashToken } from '../../identity/secretTokens.js';
import { announceRequest } from '../requests/decide.js';
import { AccountRequest } from './AccountRequest.js';
import { accountRequestErrors } from './errors.js';
import { accountRequests } from './kind.js';

/** The mailbox has answered: the organization's admins look at the request from now on. @throws Refusal request_token_invalid */
export async function verifyAccountRequest(token: string): Promise<void> {
  const asked = await firstRow<{ id: string }>(
    `SELECT id FROM account_requests WHERE organization_id = $1 AND token_hash = $2 AND token_expires_at > now()
        FOR NO KEY UPDATE`,
    [currentOrganization(), hashToken(token)],
  );
  const proven = { status: 'pending', token_hash: null, token_expires_at: null, verified_at: now } as const;
  // Of two at once, the other finds it proven.
  const request = asked && (await changeRow(AccountRequest, { id: asked.id, status: 'unverified' }, proven));
  if (!request) throw accountRequestErrors.request_token_invalid();
  await announceRequest(accountRequests, request);
}
