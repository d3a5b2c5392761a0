/** Failures of an organization's own mail server. Its admins see a failure until the server accepts mail again. */
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { enqueueNoticeToAdmins } from '../../identity/notices/enqueueNoticeToAdmins.js';
import { notify } from '../notify.js';
import { resolveNotifications } from '../resolve.js';
import { notificationTypes } from './notifications.js';

export interface ServerFailure {
  step: string;
  /** An SMTP reply code or the name of an error. */
  answer: string;
  since: string;
  last_tried_at: string;
}

/**
 * SQL interval: admins are notified of a failure that lasts longer than this. The time allows for a restart of the
 * server.
 */
const NOTIFY_AFTER = "interval '5 minutes'";

/** Returns the current failure of the organization's mail server; null if none is known. */
export const readServerFailure = (): Promise<ServerFailure | null> =>
  firstRow<ServerFailure>(
    `SELECT step, answer, since, last_tried_at FROM mail_server_failures WHERE organization_id = $1`,
    [currentOrganization()],
  );

/**
 * Records that the mail server refuses mail. Notifies the admins once, when the failure lasts longer than NOTIFY_AFTER.
 * @param settings version of the settings with which sending was tried; nothing is recorded if they have changed since
 */
export async function recordServerFailure(
  settings: number,
  { step, answer }: Pick<ServerFailure, 'step' | 'answer'>,
): Promise<void> {
  const failure = await firstRow<{ id: string; smtp_host: string; telling: boolean; begun: string }>(
    `WITH tried AS (
       SELECT id, organization_id, smtp_host FROM notification_settings
        WHERE organization_id = $1 AND version = $2 AND smtp_host IS NOT NULL FOR NO KEY UPDATE),
     noted AS (
       INSERT INTO mail_server_failures AS f (organization_id, step, answer) SELECT organization_id, $3, $4 FROM tried
       ON CONFLICT (organization_id) DO UPDATE SET step = excluded.step, answer = excluded.answer, last_tried_at = now(),
         told_at = coalesce(f.told_at, CASE WHEN f.since < now() - ${NOTIFY_AFTER} THEN now() END)
       RETURNING since, told_at)
     SELECT tried.id, tried.smtp_host, noted.told_at IS NOT DISTINCT FROM now() AS telling, extract(epoch FROM noted.since)::bigint::text AS begun
       FROM tried, noted`,
    [currentOrganization(), settings, step, answer],
  );
  if (!failure?.telling) return;
  await notify(notificationTypes.mail_server_failing, [failure.id], {
    actor: null,
    cause: `mail_server_failing:${failure.begun}`,
  });
  await enqueueNoticeToAdmins('mail_server_failing', { mail_server: failure.smtp_host, reason: `${step}: ${answer}` });
}

/** Clears the failure, because the server accepts mail again or was replaced. */
export async function clearServerFailure(): Promise<void> {
  const { cleared } = await oneRow<{ cleared: string[] }>(
    `WITH gone AS (DELETE FROM mail_server_failures WHERE organization_id = $1 RETURNING organization_id)
     SELECT coalesce(array_agg(s.id), '{}') AS cleared FROM gone JOIN notification_settings s USING (organization_id)`,
    [currentOrganization()],
  );
  for (const id of cleared) await resolveNotifications('notification_settings', id);
}
