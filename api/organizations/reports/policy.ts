import { nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';

/** Regional admins see the chapters of their region. */
export const memberReportPolicy = policy('member report', { read: [nationalAdmin, regionalAdminOfChapter] });
