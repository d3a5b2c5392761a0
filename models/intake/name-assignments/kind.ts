import type { RequestKind } from '../../organizations/requests/decide.js';
import { told } from '../notifications.js';
import { NameAssignment } from './NameAssignment.js';

export const nameAssignments: RequestKind<NameAssignment> = {
  model: NameAssignment,
  subject: 'pnm_name_assignment',
  requested: told.pnm_name_pending,
  decided: told.pnm_name_decided,
};
