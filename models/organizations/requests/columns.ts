/** The columns that every request has: who asks, how far it has come, who decided and why. */
import { link, moment, oneOf, text, yesOrNo } from '../../database/model/columns.js';

/** What a decision may say, and a justification. */
export const LONGEST_NOTES = 2000;

export const CLOSED = ['approved', 'rejected', 'withdrawn'] as const;

/** @param open the statuses in which it waits for somebody */
export const requestColumns = <const Open extends readonly [string, ...string[]]>(open: Open) => ({
  status: oneOf([...open, ...CLOSED] as const).kept(),
  requested_by: link().kept(),
  reviewed_by: link().nullable().kept(),
  reviewed_at: moment().nullable(),
  review_notes: text(LONGEST_NOTES).nullable().kept(),
});

/** Of a request that two decide, one after the other: what the first said. */
export const firstTierColumns = {
  first_tier_skipped: yesOrNo().default(false).kept().meta({ description: 'Nobody was there to decide first.' }),
  first_reviewed_by: link().nullable().kept(),
  first_reviewed_at: moment().nullable(),
  first_review_notes: text(LONGEST_NOTES).nullable().kept(),
};
