import { memberOfChapter, nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

const MANAGERS = [nationalAdmin, regionalAdminOfChapter, officerOfChapter];

export const advisorPolicy = policy('chapter advisor', {
  read: [...MANAGERS, memberOfChapter],
  write: MANAGERS,
});
