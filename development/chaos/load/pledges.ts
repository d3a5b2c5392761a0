/** The actions of donors with pledges, and of admins who cancel pledges, mail bulletins and issue annual receipts. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import type { Dice } from '../dice.js';
import type { Club } from './club.js';
import { lookAtGift, openGift } from './gifts.js';

type PledgeStory = (club: Club, dice: Dice) => Promise<void>;

const CARD = 'pm_card_visa';
/** Faults that the gateway may inject while it captures a charge of a pledge. */
const CHARGE_FAULTS = ['drop_before_capture', 'drop_after_capture', 'error_before_capture', 'error_after_capture'];
/** Maximum time from the due time of a period to the cancellation of its pledge, so that some charges are in flight. */
const MAX_PAUSE_MS = 3_000;
const LOOK_MS = 500;
/** Number of times that a donor looks for the pledge. */
const MAX_LOOKS = 30;
/** Few donors pledge, so that bulletins to them stay small. */
const PLEDGING_DONORS = 20;

const Gift = z.object({ id: z.string(), pledge: z.string().nullable() });
const Created = z.object({ id: z.string() });
const Funds = z.object({ results: z.array(z.object({ id: z.string() })) });
const Preview = z.object({ preview_hash: z.string() });

/** A donor pledges. The first period is due at once; meanwhile an admin cancels or pauses the pledge, or does nothing. */
export const pledge: PledgeStory = async (club, dice) => {
  const pledgeId = await startPledge(club, dice);
  if (!pledgeId) return;
  const move = dice.roll();
  if (move < 0.3) return cancelDuringOpening(club, pledgeId);
  if (dice.chance(0.3)) {
    const fault = { kind: dice.oneOf(CHARGE_FAULTS), pledge_id: pledgeId };
    await club.gateway.injectFault(fault);
  }
  await club.letPledgeBeDue(pledgeId);
  await sleep(dice.between(0, MAX_PAUSE_MS));
  if (move < 0.6) await cancel(club, pledgeId);
  else if (move < 0.8) await pauseAndResume(club, pledgeId);
};

/** @returns null if no pledge was started, or the run ended first */
async function startPledge(club: Club, dice: Dice): Promise<string | null> {
  const page = await openGift(club, {
    amount_cents: dice.between(500, 5_000),
    is_recurring: true,
    recurring_interval: dice.oneOf(['monthly', 'quarterly', 'annually']),
    email: `pledger-${dice.between(1, PLEDGING_DONORS)}@example.org`,
    first_name: 'Ada',
    last_name: 'Donor',
    idempotency_key: randomUUID(),
  });
  if (!page || !(await club.gateway.payOnPage(page.url, CARD))) return null;
  club.diary.promise('gift_paid', page.donation);
  await lookAtGift(club, page.donation);
  const path = `/api/foundation/donations/${page.donation}/`;
  // The gift is completed some time after the payment, and starts the pledge then.
  for (let looks = 0; looks < MAX_LOOKS && !club.dayIsOver(); looks += 1) {
    const { status, body } = await club.foundationAdmin.insist('look at pledge', 'GET', path);
    const found = status === 200 ? Gift.parse(body).pledge : null;
    if (found) return found;
    await sleep(LOOK_MS);
  }
  return null;
}

/** An admin cancels while the gateway holds the answer to the opening of the charge. */
async function cancelDuringOpening(club: Club, pledgeId: string): Promise<void> {
  const charge = { pledge_id: pledgeId };
  await club.gateway.injectFault({ kind: 'hold_after_capture', operation: 'create', ...charge });
  await club.letPledgeBeDue(pledgeId);
  const isHeld = () => club.gateway.hasUsedFault(pledgeId).catch(() => false);
  for (let looks = 0; looks < MAX_LOOKS && !club.dayIsOver() && !(await isHeld()); looks += 1) await sleep(LOOK_MS);
  await cancel(club, pledgeId);
  await club.gateway.release(charge);
}

async function cancel(club: Club, pledgeId: string): Promise<void> {
  const path = `/api/foundation/pledges/${pledgeId}/cancel/`;
  const { status, code, body } = await club.foundationAdmin.insist('cancel pledge', 'POST', path, {});
  if (status === 200 || code === 'invalid_pledge_transition') club.diary.promise('pledge_cancelled', pledgeId);
  if (status === 200 && body['charge_in_flight'] === false) club.diary.promise('pledge_not_charged', pledgeId);
}

async function pauseAndResume(club: Club, pledgeId: string): Promise<void> {
  const path = `/api/foundation/pledges/${pledgeId}/`;
  await club.foundationAdmin.insist('pause pledge', 'POST', `${path}pause/`, {});
  await club.foundationAdmin.insist('resume pledge', 'POST', `${path}resume/`, {});
}

/** An admin mails a bulletin to all donors with a live pledge, and may click twice. */
export const mailBulletin: PledgeStory = async (club, dice) => {
  const path = '/api/foundation/bulletins/';
  const text = { subject: `Bulletin ${randomUUID()}`, body_text: 'Thank you.', audience: 'recurring_donors' };
  const { status, body } = await club.foundationAdmin.insist('write bulletin', 'POST', path, text);
  if (status !== 201) return;
  const send = () => club.foundationAdmin.insist('send bulletin', 'POST', `${path}${Created.parse(body).id}/send/`, {});
  await Promise.all(Array.from({ length: dice.between(1, 2) }, send));
};

/**
 * An admin records a gift of last year, and issues the annual receipts of that year. Part of these gifts is refunded
 * afterwards, which replaces or voids their annual receipts.
 */
export const issueAnnualReceipts: PledgeStory = async (club, dice) => {
  const { foundationAdmin: admin } = club;
  const taxYear = new Date().getUTCFullYear() - 1;
  const funds = await admin.insist('list', 'GET', '/api/foundation/funds/');
  const [fund] = funds.status === 200 ? Funds.parse(funds.body).results : [];
  if (!fund) return;
  const recorded = await admin.insist('record gift', 'POST', '/api/foundation/donations/offline/', {
    email: `donor-${dice.between(1, 60)}@example.org`,
    first_name: 'Ada',
    last_name: 'Donor',
    amount_cents: dice.between(500, 20_000),
    received_on: `${taxYear}-06-15`,
    method: 'check',
    fund: fund.id,
    send_receipt: false,
    idempotency_key: randomUUID(),
  });
  const path = '/api/foundation/annual-receipts/';
  const preview = await admin.insist('preview receipts', 'POST', path, { tax_year: taxYear, dry_run: true });
  if (preview.status !== 200) return;
  const { preview_hash } = Preview.parse(preview.body);
  await admin.insist('issue receipts', 'POST', path, { tax_year: taxYear, preview_hash });
  if (recorded.status !== 201 || !dice.chance(0.4)) return;
  const refund = `/api/foundation/donations/${Created.parse(recorded.body).id}/refund/`;
  await admin.insist('refund gift', 'POST', refund, { reason: 'The check was returned.' });
};

/** Wakes the processes of pledges, as the API does when it changes a pledge. */
const wake = (chosen: string): string =>
  `SELECT app.enqueue('recurringPledge', 'pledge/' || g.id,
            jsonb_build_object('organizationId', g.organization_id, 'pledgeId', g.id), 'changed') FROM ${chosen} g`;

const LET_BE_DUE = `WITH moved AS (
    UPDATE recurring_pledges g SET anchor_on = m.anchor,
           next_due_at = app.pledge_due_at(f.timezone, g.id, app.pledge_due_on(m.anchor, g.recurring_interval, 1))
      FROM foundation_configs f, LATERAL (SELECT (now() - interval '2 days' - CASE i.recurring_interval WHEN 'monthly' THEN interval '1 month'
             WHEN 'quarterly' THEN interval '3 months' ELSE interval '1 year' END)::date AS anchor, i.id
             FROM recurring_pledges i WHERE i.id = $1) m
     WHERE g.id = m.id AND g.status = 'active' AND g.next_period = 1 AND f.organization_id = g.organization_id
    RETURNING g.*)
  ${wake('moved')}`;

/** Moves a pledge into the past, so that its first period is due now. @throws Error when the database is down */
export const letPledgeBeDue = (ownerUrl: string, pledgeId: string): Promise<void> =>
  asOwner(ownerUrl, LET_BE_DUE, [pledgeId]);

/**
 * Wakes the processes of all pledges. A mail or the deletion of a card that failed several times during outages is
 * otherwise repeated after 15 minutes.
 * @throws Error when the database is down
 */
export const wakePledges = (ownerUrl: string): Promise<void> =>
  asOwner(
    ownerUrl,
    wake(`(SELECT * FROM recurring_pledges g WHERE card_encrypted IS NOT NULL OR retired_card_encrypted IS NOT NULL
      OR EXISTS (SELECT FROM pledge_notices n WHERE n.pledge_id = g.id AND n.status = 'waiting'))`),
  );

async function asOwner(ownerUrl: string, sql: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'chaos-pledges' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql, values);
  } finally {
    await client.end().catch(() => undefined);
  }
}
