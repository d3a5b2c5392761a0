/** Decides whether to suggest to a person that they register a passkey (spec: Passkeys, 5). */
import { oneRow, rows } from '../../database/rows.js';

const REMINDER_DAYS = 30;

export interface Enrollment {
  /** Whether to show the card that suggests a passkey. */
  show: boolean;
  has_passkey: boolean;
  /** When the suggestion, which the person has dismissed, may be shown again; null if it is not dismissed now. */
  dismissed_until: string | null;
}

/**
 * Reads whether to suggest a passkey to the person. A passkey that must be registered again is ignored, as if the
 * person had none.
 */
export async function readEnrollment(userId: string): Promise<Enrollment> {
  const { enrollment } = await oneRow<{ enrollment: Omit<Enrollment, 'show'> }>(
    `SELECT to_json(one) AS enrollment FROM (
       SELECT EXISTS (SELECT FROM webauthn_credentials
                       WHERE user_id = $1 AND needs_reenrollment_at IS NULL) AS has_passkey,
              (SELECT dismissed_at + $2 * interval '1 day' FROM passkey_enrollment_dismissals
                WHERE user_id = $1 AND dismissed_at + $2 * interval '1 day' > now()) AS dismissed_until) one`,
    [userId, REMINDER_DAYS],
  );
  return { show: !enrollment.has_passkey && enrollment.dismissed_until === null, ...enrollment };
}

/** Hides the suggestion for 30 days. */
export async function dismissEnrollment(userId: string): Promise<void> {
  await rows(
    `INSERT INTO passkey_enrollment_dismissals (user_id) VALUES ($1)
     ON CONFLICT (user_id) DO UPDATE SET dismissed_at = now()`,
    [userId],
  );
}
