import { changeRow, now } from '../../database/model/change.js';
import { firstRow, currentOrganization } from '../../database/rows.js';
import { hashToken } from '../../identity/secretTokens.js';
import { announceRequest } from '../requests/decide.js';
import { AccountRequest } from './AccountRequest.js';
import { accountRequestErrors } from './errors.js';
import { accountRequests } from './kind.js';

/**
 * Marks the address as verified and passes the request on to the organization's admins. @throws Refusal
 * request_token_invalid
 */
export async function verifyAccountRequest(token: string): Promise<void> {
  const row = await firstRow<{ id: string }>(
    `SELECT id FROM account_requests WHERE organization_id = $1 AND token_hash = $2 AND token_expires_at > now()
        FOR NO KEY UPDATE`,
    [currentOrganization(), hashToken(token)],
  );
  const verifiedFields = { status: 'pending', token_hash: null, token_expires_at: null, verified_at: now } as const;
  // When two verifications run at once, the second finds the request already pending.
  const request = row && (await changeRow(AccountRequest, { id: row.id, status: 'unverified' }, verifiedFields));
  if (!request) throw accountRequestErrors.request_token_invalid();
  await announceRequest(accountRequests, request);
}
