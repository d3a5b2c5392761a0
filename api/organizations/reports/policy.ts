import { nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';

/** Admins of a region read of its chapters. */
export const memberReportPolicy = policy('member report', { read: [nationalAdmin, regionalAdminOfChapter] });
