import { currentOrganization, firstRow } from '../../database/rows.js';
import type { MemberAddRequest } from './MemberAddRequest.js';

export type Tier = 'regional' | 'organization';

/** Whether anybody but the one who asks could decide for the chapter's region. */
export const hasRegionalReviewer = async (chapterId: string, requestedBy: string): Promise<boolean> =>
  (await firstRow('SELECT FROM app.reviews_in_region($1, $2, $3) LIMIT 1', [
    currentOrganization(),
    chapterId,
    requestedBy,
  ])) !== null;

/** Who decides it now. A region that has lost its admins meanwhile holds nothing up. */
export const tierOf = async ({ status, chapter_id, requested_by }: MemberAddRequest): Promise<Tier> =>
  status === 'pending_regional' && (await hasRegionalReviewer(chapter_id, requested_by)) ? 'regional' : 'organization';
