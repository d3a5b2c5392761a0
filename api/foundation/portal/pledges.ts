/** The section of a donor's home page with the regular gifts, and its forms. */
import { z } from 'zod';
import { invalid } from '../../../models/errors.js';
import { day } from '../../../models/fields.js';
import { money, parseMoney } from '../../../models/finances/money.js';
import { lowestAmountCents } from '../../../models/foundation/donations/campaignTerms.js';
import type { PledgeTerms } from '../../../models/foundation/pledges/changeAmount.js';
import { pledgeLink } from '../../../models/foundation/pledges/links.js';
import { INTERVAL_WORDS } from '../../../models/foundation/pledges/noticeTexts.js';
import type { DonorPledge } from '../../../models/foundation/pledges/openPeriodPage.js';
import { listOwnPledges } from '../../../models/foundation/portal/ownRecords.js';
import { formatDay } from '../../../models/foundation/receipts/receiptTexts.js';
import { readForm } from '../../http/form.js';
import { escapeHtml } from '../../http/htmlPage.js';
import type { RequestFacts } from '../../http/routes.js';
import { buttonForm, homePath } from './pages.js';
import type { OwnPortal } from './session.js';

export const PauseForm = z
  .object({ resume_on: z.string().optional().meta({ description: 'Day on which the pledge goes on; empty: none.' }) })
  .meta({ id: 'DonorPledgePauseForm' });

const MAX_FORM_BYTES = 1_000;

export const AmountForm = z
  .object({ amount: z.string().optional().meta({ description: 'The amount, as people write it.' }) })
  .meta({ id: 'DonorPledgeAmountForm' });

/** Reads the amount of a pledge. @throws Refusal validation_error */
export function readAmount(
  request: RequestFacts,
  { min_amount_cents, max_amount_cents, provider, currency }: PledgeTerms,
) {
  const cents = parseMoney((readForm(request, MAX_FORM_BYTES).get('amount') ?? '').trim(), currency);
  if (cents === null) throw invalid('amount', 'Enter the amount in figures, for example 50.');
  const lowestCents = lowestAmountCents(min_amount_cents, provider);
  if (cents < lowestCents || cents > max_amount_cents)
    throw invalid(
      'amount',
      `Give an amount from ${money(lowestCents, currency)} to ${money(max_amount_cents, currency)}.`,
    );
  return cents;
}

/** Reads the day on which a paused pledge goes on. @throws Refusal validation_error */
export function readResumeDay(request: RequestFacts): string | null {
  const typed = (readForm(request, MAX_FORM_BYTES).get('resume_on') ?? '').trim();
  if (typed === '') return null;
  const parsed = day.safeParse(typed);
  if (!parsed.success) throw invalid('resume_on', 'Enter a day, for example 2027-01-31.');
  return parsed.data;
}

const STATES: Record<DonorPledge['status'], string> = {
  active: 'Active',
  past_due: 'Your card was declined',
  paused: 'Paused',
  cancelled: 'Cancelled',
};

function pledgeItem(pledge: DonorPledge, path: string): string {
  const { id, status, amount_cents, currency, interval, campaign, next_due_on, cancelled_on, has_open_period } = pledge;
  const facts = [
    STATES[status],
    ...(next_due_on === null ? [] : [`next on ${formatDay(next_due_on)}`]),
    ...(cancelled_on === null ? [] : [`since ${formatDay(cancelled_on)}`]),
  ];
  const pause = `<form method="post" action="${path}${id}/pause/"><div class="field">
<label class="label" for="resume-${id}">Pause until (optional)</label>
<input type="date" id="resume-${id}" name="resume_on"></div><p><button type="submit">Pause</button></p></form>`;
  const card = has_open_period ? `<p><a href="${escapeHtml(pledgeLink('pay', id))}">Pay with another card</a></p>` : '';
  const forms = {
    active: pause,
    past_due: `${card}${pause}`,
    paused: buttonForm(`${path}${id}/resume/`, 'Resume'),
    cancelled: '',
  }[status];
  const amount =
    status === 'cancelled'
      ? ''
      : `<form method="post" action="${path}${id}/amount/"><div class="field">
<label class="label" for="amount-${id}">Amount from the next gift on</label>
<input type="text" inputmode="decimal" id="amount-${id}" name="amount" required></div><p><button type="submit">Change the amount</button></p></form>`;
  const cancel = status === 'cancelled' ? '' : buttonForm(`${path}${id}/cancel/`, 'Cancel this regular gift');
  return `<li><b>${escapeHtml(`${money(amount_cents, currency)} ${INTERVAL_WORDS[interval]}`)}</b> to ${escapeHtml(campaign)}.
<span>${escapeHtml(facts.join(', '))}.</span>${forms}${amount}${cancel}</li>`;
}

/** Renders the regular gifts of a donor; nothing if there are none. */
export async function pledgesSection({ donor, foundation }: OwnPortal): Promise<string> {
  const pledges = await listOwnPledges({ donorId: donor.id });
  if (pledges.length === 0) return '';
  const path = `${homePath(foundation.id)}pledges/`;
  return `<h2>Regular gifts</h2>\n<ul>\n${pledges.map((pledge) => pledgeItem(pledge, path)).join('\n')}\n</ul>`;
}
