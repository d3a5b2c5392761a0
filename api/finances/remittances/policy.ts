import { nationalAdmin, officerOfChapter, policy } from '../../http/policy.js';

/** Officers act for their own chapter; administrators for all. */
export const remittancePolicy = policy('remittance', {
  read: [nationalAdmin, officerOfChapter],
  create: [nationalAdmin, officerOfChapter],
  pay: [nationalAdmin, officerOfChapter],
  resolve: [nationalAdmin, officerOfChapter],
  refund_unplaced: [nationalAdmin],
});
