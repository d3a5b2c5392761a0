/**
 * Reads a person's addresses. A primary address without a row counts as verified unless another account has verified
 * it.
 */
import { refuse } from '../../errors.js';
import { type Page, type PageRequest, selectPlatformPage } from '../../database/page.js';
import { firstRow, rows } from '../../database/rows.js';

export interface AddressRow {
  /** The row's id; for a primary address without a row, the person's user id. */
  id: string;
  email: string;
  is_primary: boolean;
  is_verified: boolean;
  verification_sent_at: string | null;
  created_at: string;
}

/**
 * SQL for all addresses of the user with id $1. A primary address without a row in `user_emails` is taken from `users`.
 */
const ADDRESSES = `(
  SELECT e.id, e.email, e.email = u.email AS is_primary, e.is_verified, e.verification_sent_at, e.created_at
    FROM users u JOIN user_emails e ON e.user_id = u.id WHERE u.id = $1
  UNION ALL
  SELECT u.id, u.email, true,
         NOT EXISTS (SELECT FROM user_emails o WHERE o.email = u.email AND o.is_verified), NULL, u.created_at
    FROM users u WHERE u.id = $1 AND NOT EXISTS (SELECT FROM user_emails o WHERE o.user_id = u.id AND o.email = u.email)
) a`;

/**
 * Lists a person's addresses in one statement: the primary one first, then the oldest.
 * @throws Refusal page_not_found
 */
export function listAddresses(userId: string, request: PageRequest): Promise<Page<AddressRow>> {
  return selectPlatformPage<AddressRow>({
    ...request,
    from: ADDRESSES,
    where: 'true',
    values: [userId],
    orderBy: 'is_primary DESC, created_at, id',
    select: '*',
  });
}

/**
 * Reads one address of a person.
 * @throws Refusal not_found for an address that is not this person's
 */
export async function readAddress(userId: string, id: string): Promise<AddressRow> {
  const result = await firstRow<{ row: AddressRow }>(
    `SELECT to_json(a) AS row FROM (SELECT * FROM ${ADDRESSES} WHERE id = $2) a`,
    [userId, id],
  );
  if (!result) throw refuse.not_found();
  return result.row;
}

/** Returns the primary address if it is verified, else null. */
export async function verifiedPrimary(userId: string): Promise<string | null> {
  const primary = await firstRow<{ email: string }>(`SELECT email FROM ${ADDRESSES} WHERE is_primary AND is_verified`, [
    userId,
  ]);
  return primary?.email ?? null;
}

/** Returns the verified addresses of a person. */
export async function verifiedAddresses(userId: string): Promise<string[]> {
  const addresses = await rows<{ email: string }>(`SELECT email FROM ${ADDRESSES} WHERE is_verified ORDER BY email`, [
    userId,
  ]);
  return addresses.map(({ email }) => email);
}
