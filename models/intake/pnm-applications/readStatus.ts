/** Reads the status of an application for the applicant. */
import { currentOrganization, firstJson } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import type { AttachmentKind } from '../pnm-config/vocabulary.js';
import { type AttachedKinds, attachedKinds } from './attachments.js';
import { IS_RESTRICTED, LINK_IS_VALID, PERIOD_IS_CLOSED, IS_WITHDRAWN } from './linkAccess.js';
import type { LetterStatus, PnmStage } from '../vocabulary.js';

export const STATUS_TEXTS = {
  unconfirmed: 'We have mailed you a link. Open it to confirm your application.',
  received: 'We have received your application. It has not been reviewed yet.',
  approved: 'Your application was reviewed, and you are invited to the next step.',
  in_progress: 'You are on your way to becoming a member.',
  completed: 'You are a member. Welcome!',
  rejected: 'Your application was not accepted.',
  withdrawn: 'You have withdrawn your application.',
  replaced: 'You have since sent another application, which replaces this one.',
  ended: 'The recruitment period in which you applied has ended.',
} as const;

/**
 * Text of the status `received` while the mailbox is not confirmed. The progress of the application is shown only after
 * confirmation.
 */
export const RESTRICTED_TEXT =
  'We have received your application. Open the link that we mailed you to see its progress here.';

type ApplicantStatus = keyof typeof STATUS_TEXTS;

export interface ApplicationStatus extends AttachedKinds {
  status: ApplicantStatus;
  says: string;
  chapter: string;
  submitted_at: string;
  /** Whether the mailbox is confirmed. */
  is_confirmed: boolean;
  can_withdraw: boolean;
  /** Kinds of required attachments that are missing. */
  missing: AttachmentKind[];
  /** Referees who were asked for a letter, each with the status of the letter; never its contents. */
  referees: { id: string; name: string; status: LetterStatus }[];
  /** Number of required letters that have neither arrived nor been waived. */
  letters_missing: number;
}

interface StatusRow extends AttachedKinds {
  state: 'pending' | 'current' | 'archived';
  is_proven: boolean;
  is_shut: boolean;
  is_taken_back: boolean;
  period_over: boolean;
  application_state: 'unconfirmed' | 'received' | 'withdrawn';
  stage: PnmStage | null;
  chapter: string;
  submitted_at: string;
  asked: AttachmentKind[];
  referees: ApplicationStatus['referees'] | null;
  letters_missing: number;
}

/**
 * Reads the status that the holder of this link may know. The link of a version whose mailbox was never confirmed shows
 * only that version, even if it counts: the address may have been typed by another person, who must not learn whether
 * it has an account.
 * @throws Refusal not_found
 */
export async function readStatus(token: string): Promise<ApplicationStatus> {
  const row = requireFound(
    await firstJson<StatusRow>(
      `SELECT v.state, v.confirmed_at IS NOT NULL AS is_proven, ${IS_RESTRICTED} AS is_shut,
              ${IS_WITHDRAWN} AS is_taken_back, ${PERIOD_IS_CLOSED} AS period_over,
              a.state AS application_state, p.stage, c.name AS chapter, v.created_at AS submitted_at,
              ${attachedKinds(`s.application_id = a.id AND (v.state = 'current' OR v.confirmed_at IS NOT NULL) OR s.draft_id = d.id`)},
              ARRAY(SELECT asked ->> 'kind' FROM jsonb_array_elements(f.attachments) asked
                 WHERE (asked ->> 'is_required')::boolean) AS asked,
              letters.referees, greatest(0, coalesce(f.reference_letters, 0) - coalesce(letters.settled, 0))::int AS letters_missing
         FROM pnm_application_versions v
         JOIN pnm_applications a ON a.organization_id = $1 AND a.id = v.application_id
         JOIN chapters c ON c.organization_id = $1 AND c.id = v.chapter_id
         LEFT JOIN pnm_drafts d ON d.organization_id = $1 AND d.version_id = v.id
         LEFT JOIN pnm_application_configs f ON f.organization_id = $1
         LEFT JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = a.profile_id
              AND NOT ${IS_RESTRICTED} AND (v.state = 'current' OR v.confirmed_at IS NOT NULL)
         LEFT JOIN LATERAL (
           SELECT json_agg(json_build_object('id', l.id, 'name', l.name, 'status', l.status) ORDER BY l.id)
                    FILTER (WHERE l.requested_by IS NULL AND l.status <> 'cancelled') AS referees,
                  count(*) FILTER (WHERE l.status = 'submitted' OR l.waiver_reason IS NOT NULL) AS settled
             FROM pnm_reference_letters l WHERE l.organization_id = $1 AND l.profile_id = p.id) letters ON true
        WHERE v.organization_id = $1 AND v.token_hash = $2 AND ${LINK_IS_VALID}`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  const status = statusOf(row);
  const { chapter, submitted_at, attachments, checking, refused, asked, referees, letters_missing } = row;
  const files = { attachments, checking, refused };
  const missing = asked.filter((kind) => !attachments.includes(kind));
  const can_withdraw =
    status !== 'completed' &&
    status !== 'rejected' &&
    status !== 'withdrawn' &&
    status !== 'replaced' &&
    status !== 'ended';
  const letters = { referees: referees ?? [], letters_missing };
  const says = status === 'received' && row.is_shut ? RESTRICTED_TEXT : STATUS_TEXTS[status];
  const is_confirmed = row.is_proven;
  return { status, says, chapter, submitted_at, is_confirmed, can_withdraw, ...files, missing, ...letters };
}

function statusOf(row: StatusRow): ApplicantStatus {
  const { state, is_proven, is_shut, is_taken_back, period_over, application_state, stage } = row;
  if (state === 'archived' && !is_proven) return 'replaced';
  if (!is_proven) {
    if (is_taken_back) return 'withdrawn';
    if (!is_shut) return 'unconfirmed';
    return period_over ? 'ended' : 'received';
  }
  if (application_state === 'withdrawn' || stage === 'withdrawn') return 'withdrawn';
  return stage === null || stage === 'not_started' ? 'received' : stage;
}
