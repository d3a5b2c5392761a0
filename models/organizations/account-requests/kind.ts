import { notifications } from '../notifications.js';
import type { RequestKind } from '../requests/decide.js';
import { AccountRequest } from './AccountRequest.js';

export const accountRequests: RequestKind<AccountRequest> = {
  model: AccountRequest,
  subject: 'account_request',
  requested: notifications.account_requested,
  // No notification type for the decision: the requester has no account, and gets a mail instead.
  decided: null,
};
