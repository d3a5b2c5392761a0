/** Steps of the withdrawal of notifications of a hidden text. */
import { inTenant } from '../../models/database/tenancy.js';
import { withdrawNextPage } from '../../models/forums/withdrawals.js';
import type { ForumWithdrawalInput } from '../../workflows/contracts/forumWithdrawal.js';

/** Withdraws the next page. @returns whether there are more */
export const withdrawForumPage = ({ organizationId, postId, version }: ForumWithdrawalInput): Promise<boolean> =>
  inTenant(organizationId, () => withdrawNextPage(postId, version));
