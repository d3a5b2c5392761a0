/** The changes of a bulletin's status that people make. */
import { foundationBulletin } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { type Change, editRow, lockForEdit, lockForEditIfExists, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { lockConfig } from '../config/readConfig.js';
import { foundationErrors } from '../errors.js';
import { missingAddress } from './bulletinMail.js';
import { FoundationBulletin } from './FoundationBulletin.js';

/**
 * Schedules a draft.
 * @throws Refusal not_found, invalid_bulletin_transition, foundation_incomplete, validation_error for a time that is past
 */
export async function scheduleBulletin(id: string, sendAt: Date): Promise<void> {
  const bulletin = await lockForEdit(FoundationBulletin, id);
  if (bulletin.status !== 'draft') throw wrongStatus(bulletin, 'Only a draft can be scheduled.');
  if (sendAt.getTime() <= Date.now()) throw invalid('send_at', 'Must be in the future.');
  await requirePostalAddress();
  await beginRound(bulletin, { status: 'scheduled', send_at: sendAt });
}

/** Makes a scheduled bulletin a draft again. @throws Refusal not_found, invalid_bulletin_transition */
export async function unscheduleBulletin(id: string): Promise<void> {
  const bulletin = await lockForEdit(FoundationBulletin, id);
  if (bulletin.status !== 'scheduled') throw wrongStatus(bulletin, 'Only a scheduled bulletin can be unscheduled.');
  await unschedule(bulletin);
}

async function unschedule(bulletin: FoundationBulletin): Promise<void> {
  const isWaiting = bulletin.held_at === null;
  await editRow(bulletin, { status: 'draft', send_at: null, held_at: null });
  if (isWaiting) await wake(bulletin, bulletin.round);
  else await resolveNotifications('foundation_bulletin', bulletin.id);
}

/**
 * Sends a bulletin now, or goes on with one that is on hold.
 * @throws Refusal not_found, invalid_bulletin_transition, foundation_incomplete
 */
export async function sendBulletin(id: string): Promise<void> {
  const bulletin = await lockForEdit(FoundationBulletin, id);
  const { status, round, held_at, started_at } = bulletin;
  const isHeld = held_at !== null;
  if (status === 'sent' || (status === 'sending' && !isHeld))
    throw wrongStatus(bulletin, 'Only a bulletin that is a draft, scheduled or on hold can be sent.');
  await requirePostalAddress();
  const progressed = started_at === null ? {} : { progressed_at: now };
  await beginRound(bulletin, { status: 'sending', send_at: now, held_at: null, ...progressed });
  // The process of the schedule still waits. It ends when it sees the new round.
  if (status === 'scheduled' && !isHeld) await wake(bulletin, round);
  if (isHeld) await resolveNotifications('foundation_bulletin', id);
}

/**
 * Stops sending. Recipients that are not claimed yet get no mail; the process records the outcomes of those in flight.
 * @throws Refusal not_found, invalid_bulletin_transition
 */
export async function stopBulletin(id: string): Promise<void> {
  const bulletin = await lockForEdit(FoundationBulletin, id);
  if (bulletin.status !== 'sending') throw wrongStatus(bulletin, 'Only a bulletin that is being sent can be stopped.');
  await stop(bulletin);
}

async function stop(bulletin: FoundationBulletin): Promise<void> {
  const isHeld = bulletin.held_at !== null;
  await rows(
    `UPDATE foundation_bulletin_recipients SET status = 'skipped', reason = 'stopped', concluded_at = now()
      WHERE organization_id = $1 AND bulletin_id = $2 AND status = 'pending' AND claimed_round IS NULL`,
    [currentOrganization(), bulletin.id],
  );
  await editRow(bulletin, { status: 'sent', sent_at: now, stopped_at: now, held_at: null });
  if (isHeld) await resolveNotifications('foundation_bulletin', bulletin.id);
  else await wake(bulletin, bulletin.round);
}

/**
 * Stops the bulletin of a process that an operator cancels: a scheduled one becomes a draft again. Does nothing if the
 * process has ended or another round has replaced it.
 */
export async function stopRound(id: string, round: number): Promise<void> {
  const bulletin = await lockForEditIfExists(FoundationBulletin, { id, round });
  if (!bulletin || bulletin.held_at !== null) return;
  if (bulletin.status === 'scheduled') await unschedule(bulletin);
  else if (bulletin.status === 'sending') await stop(bulletin);
}

/**
 * Mails failed recipients again, in a new round. Recipients that were refused for good are not tried again.
 * @param includeUnknown whether to include mails that may have arrived
 * @throws Refusal not_found, invalid_bulletin_transition, foundation_incomplete
 */
export async function retryFailed(id: string, includeUnknown: boolean): Promise<void> {
  const bulletin = await lockForEdit(FoundationBulletin, id);
  if (bulletin.status !== 'sent') throw wrongStatus(bulletin, 'Only a bulletin that was sent can be retried.');
  await requirePostalAddress();
  const { count } = await oneRow<{ count: number }>(
    `WITH reset AS (
       UPDATE foundation_bulletin_recipients
          SET status = 'pending', reason = NULL, claimed_round = NULL, concluded_at = NULL
        WHERE organization_id = $1 AND bulletin_id = $2 AND status = 'failed' AND reason = ANY($3) RETURNING id)
     SELECT count(*)::int AS count FROM reset`,
    [currentOrganization(), id, includeUnknown ? ['server_unavailable', 'outcome_unknown'] : ['server_unavailable']],
  );
  if (count === 0)
    throw foundationErrors.invalid_bulletin_transition('There is no failed recipient to be tried again.');
  const progressed_at = bulletin.started_at === null ? null : now;
  await beginRound(bulletin, { status: 'sending', send_at: now, sent_at: null, stopped_at: null, progressed_at });
}

/** Starts a process for the next round of a bulletin. */
async function beginRound(bulletin: FoundationBulletin, change: Change<FoundationBulletin>): Promise<void> {
  const round = bulletin.round + 1;
  await editRow(bulletin, { ...change, round, started_by: currentScope().origin.userId });
  await enqueue(foundationBulletin, { bulletinId: bulletin.id, round: String(round) });
}

/** Makes the process of a round read the bulletin again. */
const wake = ({ id }: FoundationBulletin, round: number): Promise<string> =>
  enqueue(foundationBulletin, { bulletinId: id, round: String(round) }, { signal: 'changed' });

const wrongStatus = ({ status, held_at }: FoundationBulletin, rule: string) =>
  foundationErrors.invalid_bulletin_transition(
    `${rule} This one is ${held_at === null ? status : `${status}, and on hold`}.`,
  );

/**
 * Locks the settings of the foundation and requires the postal address that every bulletin shows. It cannot be removed
 * while a bulletin waits or is being sent.
 * @throws Refusal foundation_not_configured, foundation_incomplete
 */
async function requirePostalAddress(): Promise<void> {
  if ((await lockConfig()).mailing_address === null) throw missingAddress();
}
