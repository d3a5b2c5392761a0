import { notifications } from '../notifications.js';
import type { RequestKind } from '../requests/decide.js';
import { StatusChangeRequest } from './StatusChangeRequest.js';

export const statusChangeRequests: RequestKind<StatusChangeRequest> = {
  model: StatusChangeRequest,
  subject: 'status_change_request',
  requested: notifications.status_change_requested,
  decided: notifications.status_change_decided,
};
