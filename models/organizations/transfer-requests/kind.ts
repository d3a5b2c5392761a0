import { notifications } from '../notifications.js';
import type { RequestKind } from '../requests/decide.js';
import { TransferRequest } from './TransferRequest.js';

export const transferRequests: RequestKind<TransferRequest> = {
  model: TransferRequest,
  subject: 'transfer_request',
  requested: notifications.transfer_requested,
  decided: notifications.transfer_decided,
};
