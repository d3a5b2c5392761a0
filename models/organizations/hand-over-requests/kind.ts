import { notifications } from '../notifications.js';
import type { RequestKind } from '../requests/decide.js';
import { HandOverRequest } from './HandOverRequest.js';

export const handOverRequests: RequestKind<HandOverRequest> = {
  model: HandOverRequest,
  subject: 'hand_over_request',
  requested: notifications.hand_over_requested,
  decided: notifications.hand_over_decided,
};
