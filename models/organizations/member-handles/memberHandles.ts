/** User names by which texts of the tenant mention people. */
import { editRow, lockForEdit } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { MemberHandle } from './MemberHandle.js';

/** @throws Refusal not_found if the person never had access to the organization */
export const readHandle = (userId: string): Promise<ShownRow<typeof MemberHandle>> =>
  readRow(MemberHandle, { user_id: userId });

/**
 * Changes a person's user name.
 * @throws Refusal duplicate if another person of the organization has it; not_found as `readHandle`
 */
export async function changeHandle(userId: string, username: string): Promise<void> {
  await editRow(await lockForEdit(MemberHandle, { user_id: userId }), { handle: username });
}

/** Finds people by user names. @returns their ids by user name; unknown names are missing */
export async function findByHandles(usernames: readonly string[]): Promise<Map<string, string>> {
  const people = await rows<{ handle: string; user_id: string }>(
    'SELECT handle, user_id FROM member_handles WHERE organization_id = $1 AND handle = ANY ($2)',
    [currentOrganization(), usernames],
  );
  return new Map(people.map(({ handle, user_id }) => [handle, user_id]));
}

/** Deletes the user name of a person who is erased. @returns how many rows */
export async function removeHandle(userId: string): Promise<number> {
  const deleted = await rows('DELETE FROM member_handles WHERE organization_id = $1 AND user_id = $2 RETURNING id', [
    currentOrganization(),
    userId,
  ]);
  return deleted.length;
}
