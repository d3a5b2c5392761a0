import { currentOrganization, rows } from '../../database/rows.js';
import { NO_PHONE_NUMBER } from '../../identity/fillPhoneNumber.js';
import { shownEmail } from '../../identity/deletion/erased.js';
import { MAILED_TODAY } from '../../organizations/invitations/sendInvitation.js';
import { trueFieldNames, IS_EMPTY } from '../../organizations/lifecycle/carryForward.js';
import { NO_ETHNICITY } from '../../organizations/profiles/demographics.js';
import type { Answers } from '../crossings/sources.js';
import type { CarriedField, PnmStage } from '../vocabulary.js';

/**
 * How a person learns about their crossing: by a mailed invitation if they have no account yet, otherwise by a
 * notification.
 */
export const NOTICE_KINDS = ['invitation', 'notification'] as const;

/** A prospective member who is to become a member, with all data on which the outcome depends. */
export interface Candidate {
  pnm: string;
  membership: string;
  first_name: string;
  last_name: string;
  email: string | null;
  stage: PnmStage;
  line_number: number | null;
  has_account: boolean;
  /** Null if the person is neither invited nor notified. */
  told_by: (typeof NOTICE_KINDS)[number] | null;
  answers: Answers;
  /** Fields of the member that are still empty. */
  blank: CarriedField[];
  /** Fields that earlier crossings of the person have already copied. */
  copied: CarriedField[];
  /** Versions of the profile and of the membership. */
  versions: [number, number];
}

const BLANK = trueFieldNames({ ...IS_EMPTY, phone_number: NO_PHONE_NUMBER, ethnicity: NO_ETHNICITY });

/** Reads the named people who belong to the chapter, in the given order, in one statement. */
export const readLine = (chapterId: string, pnms: readonly string[]): Promise<Candidate[]> =>
  rows<Candidate>(
    `SELECT pnm.id AS pnm, m.id AS membership, u.first_name, u.last_name, ${shownEmail('u')} AS email, pnm.stage, m.line_number,
            u.placeholder_in IS NULL AS has_account,
            CASE WHEN u.placeholder_in IS NULL THEN 'notification'
                 WHEN u.typed_email IS NOT NULL AND coalesce(i.state, 'open') IN ('open', 'withdrawn') AND NOT ${MAILED_TODAY} THEN 'invitation'
            END AS told_by,
            to_jsonb(pnm) AS answers, ${BLANK} AS blank,
            ARRAY(SELECT DISTINCT f.field FROM crossings c
                    JOIN crossing_fields f ON f.organization_id = c.organization_id AND f.crossing_id = c.id
                   WHERE c.organization_id = $1 AND (c.membership_id = m.id OR c.profile_id = pnm.id) AND f.fate = 'copied')
              AS copied,
            ARRAY[pnm.version, m.version] AS versions
       FROM unnest($3::uuid[]) WITH ORDINALITY AS named (id, place)
       JOIN pnm_profiles pnm ON pnm.organization_id = $1 AND pnm.id = named.id
       JOIN memberships m ON m.organization_id = $1 AND m.id = pnm.membership_id
       JOIN LATERAL (SELECT * FROM users WHERE users.id = m.user_id OFFSET 0) u ON true
       LEFT JOIN invitations i ON i.organization_id = $1 AND i.membership_id = m.id
       LEFT JOIN member_profiles p ON p.organization_id = $1 AND p.user_id = m.user_id
       LEFT JOIN member_demographics d ON d.organization_id = $1 AND d.user_id = m.user_id
      WHERE m.chapter_id = $2
      ORDER BY named.place`,
    [currentOrganization(), chapterId, pnms],
  );
