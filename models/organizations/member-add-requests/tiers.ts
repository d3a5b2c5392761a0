import { currentOrganization, firstRow } from '../../database/rows.js';
import type { MemberAddRequest } from './MemberAddRequest.js';

export type Tier = 'regional' | 'organization';

/** Reports whether anybody other than the requester can decide for the chapter's region. */
export const hasRegionalReviewer = async (chapterId: string, requestedBy: string): Promise<boolean> =>
  (await firstRow('SELECT FROM app.reviews_in_region($1, $2, $3) LIMIT 1', [
    currentOrganization(),
    chapterId,
    requestedBy,
  ])) !== null;

/** Returns the tier that decides now. If the region has lost its admins since, the organization decides. */
export const tierOf = async ({ status, chapter_id, requested_by }: MemberAddRequest): Promise<Tier> =>
  status === 'pending_regional' && (await hasRegionalReviewer(chapter_id, requested_by)) ? 'regional' : 'organization';
