import { anyone, nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';

export const chapterPolicy = policy('chapter', {
  read: [anyone],
  update: [nationalAdmin, regionalAdminOfChapter],
  /** Create a chapter, and change its status or its region. */
  govern: [nationalAdmin],
});
