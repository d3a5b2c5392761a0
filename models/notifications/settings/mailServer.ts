/** An organization's own mail server that takes no mail: shown to its admins until it does. */
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { noticeAdmins } from '../../identity/notices/noticeAdmins.js';
import { notify } from '../notify.js';
import { resolveNotifications } from '../resolve.js';
import { told } from './notifications.js';

export interface ServerFailure {
  step: string;
  /** A reply code or the name of an error. */
  answer: string;
  since: string;
  last_tried_at: string;
}

/** Servers are restarted: admins are told of what lasts longer. */
const WORTH_TELLING = "interval '5 minutes'";

/** @returns null where mail goes out, as far as anybody knows */
export const readServerFailure = (): Promise<ServerFailure | null> =>
  firstRow<ServerFailure>(
    `SELECT step, answer, since, last_tried_at FROM mail_server_failures WHERE organization_id = $1`,
    [currentOrganization()],
  );

/** Notes that the server takes no mail, and tells the admins, once. @param settings the version by which it was tried */
export async function recordServerFailure(
  settings: number,
  { step, answer }: Pick<ServerFailure, 'step' | 'answer'>,
): Promise<void> {
  const noted = await firstRow<{ id: string; smtp_host: string; telling: boolean; begun: string }>(
    `WITH tried AS (
       SELECT id, organization_id, smtp_host FROM notification_settings
        WHERE organization_id = $1 AND version = $2 AND smtp_host IS NOT NULL FOR NO KEY UPDATE),
     noted AS (
       INSERT INTO mail_server_failures AS f (organization_id, step, answer) SELECT organization_id, $3, $4 FROM tried
       ON CONFLICT (organization_id) DO UPDATE SET step = excluded.step, answer = excluded.answer, last_tried_at = now(),
         told_at = coalesce(f.told_at, CASE WHEN f.since < now() - ${WORTH_TELLING} THEN now() END)
       RETURNING since, told_at)
     SELECT tried.id, tried.smtp_host, noted.told_at IS NOT DISTINCT FROM now() AS telling, extract(epoch FROM noted.since)::bigint::text AS begun
       FROM tried, noted`,
    [currentOrganization(), settings, step, answer],
  );
  if (!noted?.telling) return;
  await notify(told.mail_server_failing, [noted.id], { actor: null, cause: `mail_server_failing:${noted.begun}` });
  await noticeAdmins('mail_server_failing', { mail_server: noted.smtp_host, reason: `${step}: ${answer}` });
}

/** It takes mail, or is another one: what was said of it is over. */
export async function clearServerFailure(): Promise<void> {
  const { cleared } = await oneRow<{ cleared: string[] }>(
    `WITH gone AS (DELETE FROM mail_server_failures WHERE organization_id = $1 RETURNING organization_id)
     SELECT coalesce(array_agg(s.id), '{}') AS cleared FROM gone JOIN notification_settings s USING (organization_id)`,
    [currentOrganization()],
  );
  for (const id of cleared) await resolveNotifications('notification_settings', id);
}
