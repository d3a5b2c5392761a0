import { lockForEdit } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { hashToken } from '../../identity/secretTokens.js';
import { withdrawRequest } from '../requests/decide.js';
import { ERASED } from '../requests/erasure.js';
import { AccountRequest } from './AccountRequest.js';
import { accountRequestErrors } from './errors.js';
import { accountRequests } from './kind.js';

/**
 * Withdraws the request, before or after it is verified; repeating it changes nothing. The requester has no account
 * whose deletion could erase the input, so the input is erased at once.
 * @throws Refusal request_token_invalid; request_closed once it is decided
 */
export async function withdrawAccountRequest(token: string): Promise<void> {
  const row = await firstRow<{ id: string }>(
    'SELECT id FROM account_requests WHERE organization_id = $1 AND withdrawal_hash = $2 FOR NO KEY UPDATE',
    [currentOrganization(), hashToken(token)],
  );
  if (!row) throw accountRequestErrors.request_token_invalid();
  const request = await lockForEdit(AccountRequest, row.id);
  if (request.status === 'withdrawn') return;
  await withdrawRequest(accountRequests, request, {
    email: null,
    first_name: ERASED,
    last_name: ERASED,
    phone_number: null,
    justification: ERASED,
    token_hash: null,
    token_expires_at: null,
  });
}
