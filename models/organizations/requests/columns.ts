/** Columns that every request has: the requester, the status, and who decided and why. */
import { link, moment, oneOf, text, yesOrNo } from '../../database/model/columns.js';

/** Maximum length of review notes and justifications. */
export const MAX_NOTES_LENGTH = 2000;

export const CLOSED_STATUSES = ['approved', 'rejected', 'withdrawn'] as const;

/**
 * Returns the columns that every request has.
 * @param open the statuses in which the request is pending
 */
export const requestColumns = <const Open extends readonly [string, ...string[]]>(open: Open) => ({
  status: oneOf([...open, ...CLOSED_STATUSES] as const).serverSet(),
  requested_by: link().serverSet(),
  reviewed_by: link().nullable().serverSet(),
  reviewed_at: moment().nullable(),
  review_notes: text(MAX_NOTES_LENGTH).nullable().serverSet(),
});

/** Columns that only a request with two tiers has: they hold the decision of the first tier. */
export const firstTierColumns = {
  first_tier_skipped: yesOrNo()
    .default(false)
    .serverSet()
    .meta({ description: 'The first tier was skipped because it had no other reviewer.' }),
  first_reviewed_by: link().nullable().serverSet(),
  first_reviewed_at: moment().nullable(),
  first_review_notes: text(MAX_NOTES_LENGTH).nullable().serverSet(),
};
