import {
  officerOfChapterInPerson,
  organizationAdmin,
  policy,
  regionalAdminOfChapterInPerson,
  self,
} from '../../http/policy.js';

/** Whoever runs the platform is not among them (spec: carry-forward, rule 7). */
export const demographicsPolicy = policy('member demographics', {
  read: [self, officerOfChapterInPerson, organizationAdmin, regionalAdminOfChapterInPerson],
  write: [self],
});
