import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { forumErrors } from '../errors.js';
import { readForumSettings } from '../forum-settings/updateForumSettings.js';
import { lockText, type TextKey } from '../lockTexts.js';
import { type ForumText, idsOfText } from '../textIds.js';
import { holdWriter } from '../writeText.js';
import { openCase, setTextState } from './cases.js';
import { notifications } from './notifications.js';

export interface FlagJson {
  reason: string | null;
  note: string | null;
  created_at: string;
}

const FLAG = `fl.reason, fl.note, to_json(fl.created_at) #>> '{}' AS created_at`;

/**
 * Flags a text for moderators. Enough flags hide a published text, unless a moderator has approved it as it is. A person
 * flags a text once: again after it was changed and decided.
 * @param spend counts the flag for the throttle of the person
 * @throws Refusal not_found, forum_membership_required, forum_archived, text_deleted, validation_error, throttled
 */
export async function flagText(
  key: TextKey,
  userId: string,
  { reason = null, note = null }: { reason?: string | null | undefined; note?: string | null | undefined },
  spend: () => Promise<void>,
): Promise<{ flag: FlagJson; isNew: boolean }> {
  const { forum_role: role } = await holdWriter(key.forumId, userId);
  const text = await lockText(key, { userId, role });
  if (text.deleted_at !== null) throw forumErrors.text_deleted();
  if (text.author_id === userId) throw refuse.validation_error('You cannot flag your own text. Change or delete it.');
  const known = await findFlag(text, userId);
  if (known) return { flag: known, isNew: false };
  await spend();
  const caseId = await openCase(idsOfText(text), { opened_by: 'flag' });
  const flag = await oneRow<FlagJson>(
    `INSERT INTO forum_flags AS fl (organization_id, case_id, user_id, reason, note, counts)
     VALUES ($1, $2, $3, $4, $5, app.joined_before_today($1, $3)) RETURNING ${FLAG}`,
    [currentOrganization(), caseId, userId, reason, note],
  );
  if (text.status === 'published' && text.approved_at === null) await hideIfFlaggedEnough(text, caseId);
  return { flag, isNew: true };
}

/** Finds the flag of a person in the open case of a text, or in the case in which the text was approved as it is now. */
const findFlag = (text: ForumText, userId: string): Promise<FlagJson | null> =>
  firstRow<FlagJson>(
    `SELECT ${FLAG} FROM forum_cases k JOIN forum_flags fl ON fl.organization_id = k.organization_id AND fl.case_id = k.id
      WHERE k.organization_id = $1 AND k.text_id = $2 AND fl.user_id = $3
        AND (k.status = 'open' OR coalesce(k.appeal_decided_at, k.decided_at) >= $4)
      ORDER BY k.id DESC LIMIT 1`,
    [currentOrganization(), text.id, userId, text.approved_at],
  );

async function hideIfFlaggedEnough(text: ForumText, caseId: string): Promise<void> {
  const { hide_after_flags: threshold } = await readForumSettings();
  if (threshold === 0) return;
  const flags = await rows(
    `SELECT FROM forum_flags WHERE organization_id = $1 AND case_id = $2 AND counts LIMIT ${threshold}`,
    [currentOrganization(), caseId],
  );
  if (flags.length < threshold) return;
  await setTextState(text, { status: 'hidden' });
  // The person whose flag hid the text is not named.
  await notify(notifications.forum_text_hidden, [caseId], { actor: null });
}
