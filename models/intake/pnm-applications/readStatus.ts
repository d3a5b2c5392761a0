/** How an application stands, in the applicant's words. */
import { currentOrganization, firstJson } from '../../database/rows.js';
import { found } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import type { AttachmentKind } from '../pnm-config/vocabulary.js';
import { type AttachedKinds, attachedKinds } from './attachments.js';
import { IS_SHUT, LINK_HOLDS, PERIOD_OVER, TAKEN_BACK } from './linkHolds.js';
import type { LetterStatus, PnmStage } from '../vocabulary.js';

export const STATUS_WORDS = {
  unconfirmed: 'We have mailed you a link. Open it to confirm your application.',
  received: 'We have your application. Nobody has looked at it yet.',
  approved: 'Your application was looked at, and you are invited to the next step.',
  in_progress: 'You are on your way to becoming a member.',
  completed: 'You are a member. Welcome!',
  rejected: 'Your application was not accepted.',
  withdrawn: 'You have withdrawn your application.',
  replaced: 'You have sent another application since, which counts instead.',
  ended: 'The intake in which you have applied is over.',
} as const;

/** In the place of `received`, of what is never shown more of before its mailbox has answered. */
export const SHUT_WORDS =
  'We have your application. Open the link that we have mailed you, and here you see how it goes on.';

type ApplicantStatus = keyof typeof STATUS_WORDS;

export interface ApplicationStatus extends AttachedKinds {
  status: ApplicantStatus;
  says: string;
  chapter: string;
  submitted_at: string;
  /** Whether the mailbox has answered. */
  is_confirmed: boolean;
  can_withdraw: boolean;
  /** Of what is asked for, what has not come yet: the kinds. */
  missing: AttachmentKind[];
  /** Who was asked for a letter, and whether it came; never what it says. */
  referees: { id: string; name: string; status: LetterStatus }[];
  /** Letters that are asked for and have neither come nor been waived. */
  letters_missing: number;
}

interface Found extends AttachedKinds {
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
 * What whoever sent this version may know. A version that never proved its mailbox knows of itself alone, also where it counts:
 * somebody else may have typed the address, and must not learn by it whether that has an account.
 * @throws Refusal not_found
 */
export async function readStatus(token: string): Promise<ApplicationStatus> {
  const one = found(
    await firstJson<Found>(
      `SELECT v.state, v.confirmed_at IS NOT NULL AS is_proven, ${IS_SHUT} AS is_shut,
              ${TAKEN_BACK} AS is_taken_back, ${PERIOD_OVER} AS period_over,
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
              AND NOT ${IS_SHUT} AND (v.state = 'current' OR v.confirmed_at IS NOT NULL)
         LEFT JOIN LATERAL (
           SELECT json_agg(json_build_object('id', l.id, 'name', l.name, 'status', l.status) ORDER BY l.id)
                    FILTER (WHERE l.requested_by IS NULL AND l.status <> 'cancelled') AS referees,
                  count(*) FILTER (WHERE l.status = 'submitted' OR l.waiver_reason IS NOT NULL) AS settled
             FROM pnm_reference_letters l WHERE l.organization_id = $1 AND l.profile_id = p.id) letters ON true
        WHERE v.organization_id = $1 AND v.token_hash = $2 AND ${LINK_HOLDS}`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  const status = statusOf(one);
  const { chapter, submitted_at, attachments, checking, refused, asked, referees, letters_missing } = one;
  const files = { attachments, checking, refused };
  const missing = asked.filter((kind) => !attachments.includes(kind));
  const can_withdraw =
    status !== 'completed' &&
    status !== 'rejected' &&
    status !== 'withdrawn' &&
    status !== 'replaced' &&
    status !== 'ended';
  const letters = { referees: referees ?? [], letters_missing };
  const says = status === 'received' && one.is_shut ? SHUT_WORDS : STATUS_WORDS[status];
  const is_confirmed = one.is_proven;
  return { status, says, chapter, submitted_at, is_confirmed, can_withdraw, ...files, missing, ...letters };
}

function statusOf(one: Found): ApplicantStatus {
  const { state, is_proven, is_shut, is_taken_back, period_over, application_state, stage } = one;
  if (state === 'archived' && !is_proven) return 'replaced';
  if (!is_proven) {
    if (is_taken_back) return 'withdrawn';
    if (!is_shut) return 'unconfirmed';
    return period_over ? 'ended' : 'received';
  }
  if (application_state === 'withdrawn' || stage === 'withdrawn') return 'withdrawn';
  return stage === null || stage === 'not_started' ? 'received' : stage;
}
