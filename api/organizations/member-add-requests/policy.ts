import {
  chapterManagers,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  self,
} from '../../http/policy.js';

export const memberAddRequestPolicy = policy('member add request', {
  read: chapterManagers,
  file: [officerOfChapter],
  withdraw: [self],
  review_regional: [regionalAdminOfChapter],
  review_organization: [nationalAdmin],
});
