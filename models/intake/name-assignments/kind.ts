import type { RequestKind } from '../../organizations/requests/decide.js';
import { notifications } from '../notifications.js';
import { NameAssignment } from './NameAssignment.js';

export const nameAssignments: RequestKind<NameAssignment> = {
  model: NameAssignment,
  subject: 'pnm_name_assignment',
  requested: notifications.pnm_name_pending,
  decided: notifications.pnm_name_decided,
};
