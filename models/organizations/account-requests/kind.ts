import { told } from '../notifications.js';
import type { RequestKind } from '../requests/decide.js';
import { AccountRequest } from './AccountRequest.js';

export const accountRequests: RequestKind<AccountRequest> = {
  model: AccountRequest,
  subject: 'account_request',
  requested: told.account_requested,
  // Who has no account is told by mail.
  decided: null,
};
