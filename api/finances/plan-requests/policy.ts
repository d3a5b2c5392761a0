import {
  anyOfficer,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  self,
} from '../../http/policy.js';

/** Who asks for instalments, and who decides; regional admins where their organization says so. */
export const planRequestPolicy = policy('plan request', {
  review: [nationalAdmin, regionalAdminOfChapter],
  read_bulk: [nationalAdmin, self],
  ask_for_anybody: [nationalAdmin],
  ask_for_member: [officerOfChapter],
  list_asked: [anyOfficer],
  own: [self],
});
