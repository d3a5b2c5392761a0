import { chapterManagers, nationalAdmin, officerOfChapter, policy, self } from '../../http/policy.js';

export const transferRequestPolicy = policy('transfer request', {
  /** Granted by an office in either of the two chapters. */
  read: [...chapterManagers, self],
  file: [officerOfChapter, self],
  withdraw: [self],
  /** Granted by an office in the destination chapter. */
  review_destination: [officerOfChapter],
  review_organization: [nationalAdmin],
});
