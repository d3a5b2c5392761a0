import { currentOrganization, rows } from '../../database/rows.js';
import { NO_PHONE_NUMBER } from '../../identity/fillPhoneNumber.js';
import { shownEmail } from '../../identity/deletion/erased.js';
import { MAILED_TODAY } from '../../organizations/invitations/sendInvitation.js';
import { namesOf, NOTHING_STANDS } from '../../organizations/lifecycle/carryForward.js';
import { NO_ETHNICITY } from '../../organizations/profiles/demographics.js';
import type { Answers } from '../crossings/sources.js';
import type { CarriedField, PnmStage } from '../vocabulary.js';

/** Whom a mail goes to: who has no account yet is invited, and everybody else is told as they want to be told. */
export const TELLINGS = ['invitation', 'notification'] as const;

/** Somebody who is to cross, and all that what becomes of it hangs on. */
export interface Candidate {
  pnm: string;
  membership: string;
  first_name: string;
  last_name: string;
  email: string | null;
  stage: PnmStage;
  line_number: number | null;
  has_account: boolean;
  /** Null: nobody is mailed. */
  told_by: (typeof TELLINGS)[number] | null;
  answers: Answers;
  /** Destinations at which nothing stands. */
  blank: CarriedField[];
  /** Fields that any crossing of theirs has ever copied. */
  copied: CarriedField[];
  /** Of what people edit: of profile and membership. */
  versions: [number, number];
}

const BLANK = namesOf({ ...NOTHING_STANDS, phone_number: NO_PHONE_NUMBER, ethnicity: NO_ETHNICITY });

/** Those of the chapter among them, in the order in which they are named; in one statement. */
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
