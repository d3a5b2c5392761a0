import { told } from '../notifications.js';
import type { RequestKind } from '../requests/decide.js';
import { TransferRequest } from './TransferRequest.js';

export const transferRequests: RequestKind<TransferRequest> = {
  model: TransferRequest,
  subject: 'transfer_request',
  requested: told.transfer_requested,
  decided: told.transfer_decided,
};
