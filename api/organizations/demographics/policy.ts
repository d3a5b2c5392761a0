import {
  officerOfChapterInPerson,
  organizationAdmin,
  policy,
  regionalAdminOfChapterInPerson,
  self,
} from '../../http/policy.js';

/** Platform admins are excluded (spec: carry-forward, rule 7). */
export const demographicsPolicy = policy('member demographics', {
  read: [self, officerOfChapterInPerson, organizationAdmin, regionalAdminOfChapterInPerson],
  write: [self],
});
