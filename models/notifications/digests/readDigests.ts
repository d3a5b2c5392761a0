/** Reads digests for their recipients. */
import { firstJson, currentOrganization } from '../../database/rows.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { requireFound } from '../../errors.js';
import type { Frequency } from './DigestPreference.js';
import { type DigestItem, itemsOf } from './claimDigests.js';

export interface Digest {
  id: string;
  frequency: Frequency;
  period_start: string;
  period_end: string;
  summary: string | null;
  notification_count: number;
  sent_at: string | null;
  created_at: string;
}

const COLUMNS =
  'd.id, d.frequency, d.period_start, d.period_end, d.summary, d.notification_count, d.sent_at, d.created_at';

/**
 * Lists a person's digests, newest first, in one statement.
 * @throws Refusal page_not_found
 */
export const listDigests = (userId: string, page: PageRequest): Promise<Page<Digest>> =>
  selectPage<Digest>({
    from: 'notification_digests d',
    where: 'd.organization_id = $1 AND d.user_id = $2',
    values: [currentOrganization(), userId],
    orderBy: 'd.id DESC',
    key: 'd.id',
    select: COLUMNS,
    ...page,
  });

/**
 * Returns a digest of a person with the items that they may still see.
 * @throws Refusal not_found
 */
export async function readDigest(userId: string, id: string): Promise<Digest & { items: DigestItem[] }> {
  const digest = requireFound(
    await firstJson<Digest>(
      `SELECT ${COLUMNS} FROM notification_digests d WHERE d.organization_id = $1 AND d.user_id = $2 AND d.id = $3`,
      [currentOrganization(), userId, id],
    ),
  );
  return { ...digest, items: (await itemsOf([id])).get(id) ?? [] };
}
