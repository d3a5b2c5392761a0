import { anyone, nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';

export const chapterPolicy = policy('chapter', {
  read: [anyone],
  update: [nationalAdmin, regionalAdminOfChapter],
  /** That it exists, its standing, and the region that it belongs to. */
  govern: [nationalAdmin],
});
