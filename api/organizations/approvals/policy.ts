import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

export const approvalPolicy = policy('approvals', { read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter] });
