import { notifications } from '../notifications.js';
import type { RequestKind } from '../requests/decide.js';
import { MemberAddRequest } from './MemberAddRequest.js';

export const memberAddRequests: RequestKind<MemberAddRequest> = {
  model: MemberAddRequest,
  subject: 'member_add_request',
  requested: notifications.member_add_requested,
  decided: notifications.member_add_decided,
};
