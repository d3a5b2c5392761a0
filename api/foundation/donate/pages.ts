/** The pages on which a donor gives: the form, its review, and the way to the page of the payment provider. */
import type { FieldErrors } from '../../../models/errors.js';
import { money } from '../../../models/finances/money.js';
import type { PublicCampaign } from '../../../models/foundation/donations/campaignTerms.js';
import type { RecurringInterval } from '../../../models/foundation/pledges/vocabulary.js';
import { formatDay } from '../../../models/foundation/receipts/receiptTexts.js';
import { escapeHtml, htmlPage, SENDS_ORIGIN } from '../../http/htmlPage.js';
import { isAccepted, type Offer, offersOf, TEXT_FIELDS, type TypedGift } from './form.js';

/** The problem that a page shows above its form: a fault of the whole form, or faults of single fields. */
export interface Problem {
  message: string;
  fields?: FieldErrors;
}

const titleOf = ({ title, foundation_name }: PublicCampaign): string => `${title} – ${foundation_name}`;

/** The page of a campaign. While it accepts no gifts, it has no form. @param problem of the form that was sent */
export function campaignPage(campaign: PublicCampaign, form: TypedGift, problem?: Problem) {
  const showsForm = campaign.accepts_donations || problem !== undefined;
  return htmlPage(
    `${problem ? 'Error: ' : ''}${titleOf(campaign)}`,
    `${summaryOf(problem)}${introductionOf(campaign)}${showsForm ? giftForm(campaign, form, problem?.fields ?? {}) : closedNotice(campaign)}`,
    { heading: campaign.title, headers: SENDS_ORIGIN, hasImages: campaign.hero_image_url !== null },
  );
}

function introductionOf(campaign: PublicCampaign): string {
  const {
    description,
    foundation_name,
    hero_image_url,
    goal_cents,
    raised_cents,
    goods_description,
    goods_value_cents,
  } = campaign;
  const inMoney = (cents: number): string => escapeHtml(money(cents, campaign.currency));
  const goal = goal_cents === null ? '' : ` of ${inMoney(goal_cents)}`;
  const value = goods_value_cents === null ? '' : ` (value: ${inMoney(goods_value_cents)})`;
  const goods = goods_description === null ? '' : `<p>You receive: ${escapeHtml(goods_description)}${value}</p>`;
  // The description was sanitized when it was saved.
  // The path alone: the page loads pictures of its own origin only.
  const hero = hero_image_url === null ? '' : `<img src="${escapeHtml(new URL(hero_image_url).pathname)}" alt="">\n`;
  return `${hero}<p>A campaign of ${escapeHtml(foundation_name)}</p>
${description ?? ''}
<p>Raised so far: ${inMoney(raised_cents)}${goal}</p>
${goods}`;
}

function closedNotice({ starts_on, ends_on }: PublicCampaign): string {
  const dates = [starts_on && `from ${formatDay(starts_on)}`, ends_on && `until ${formatDay(ends_on)}`].filter(Boolean);
  const accepted = dates.length === 0 ? '' : ` Gifts are accepted ${dates.join(' ')}.`;
  return `<p class="notice">This campaign does not accept gifts at the moment.${accepted}</p>`;
}

/**
 * Renders the message above the form: the problem, and a list of the faulty fields with a link to each. The message
 * gets the keyboard focus.
 */
function summaryOf(problem: Problem | undefined): string {
  if (!problem) return '';
  const inOrder = ['other_amount', ...Object.keys(TEXT_FIELDS)];
  const fields = Object.entries(problem.fields ?? {}).toSorted(([a], [b]) => inOrder.indexOf(a) - inOrder.indexOf(b));
  const faults = fields.map(([name, [message = '']]) => {
    if (name === 'other_amount') return `<li><a href="#${name}">${escapeHtml(message)}</a></li>`;
    if (!Object.hasOwn(TEXT_FIELDS, name)) return `<li>${escapeHtml(`${name}: ${message}`)}</li>`;
    const { label } = TEXT_FIELDS[name as keyof typeof TEXT_FIELDS];
    return `<li><a href="#${name}">${escapeHtml(`${label}: ${message}`)}</a></li>`;
  });
  const list = faults.length === 0 ? '' : `<ul>${faults.join('')}</ul>`;
  return `<div class="problem" role="alert" tabindex="-1" autofocus><p>${escapeHtml(problem.message)}</p>${list}</div>\n`;
}

function giftForm(campaign: PublicCampaign, form: TypedGift, errors: FieldErrors): string {
  const texts = Object.keys(TEXT_FIELDS).map((name) => textField(name as keyof typeof TEXT_FIELDS, form, errors));
  return `<form method="post" novalidate>
${hidden('idempotency_key', form.idempotency_key)}
${amountFields(campaign, form, errors)}
${campaign.accepts_recurring ? intervalFields(form) : ''}
${texts.join('\n')}
<p><label class="choice"><input type="checkbox" name="is_anonymous" value="yes"${form.is_anonymous ? ' checked' : ''}>
Show me as Anonymous in the list of donors</label></p>
<p><button type="submit">Review your gift</button></p>
<p class="hint">You see the exact amount once more before you pay.</p>
</form>`;
}

function amountFields(campaign: PublicCampaign, form: TypedGift, errors: FieldErrors): string {
  const suggested = campaign.suggested_amounts.filter((cents) => isAccepted(cents, campaign));
  const choices = suggested.map((cents) => {
    const checked = form.amount === String(cents) ? ' checked' : '';
    return `<label class="choice"><input type="radio" name="amount" value="${cents}"${checked}>
<b>${escapeHtml(money(cents, campaign.currency))}</b> <span>${escapeHtml(feeText(cents, campaign))}</span></label>`;
  });
  const { fee_rate, fee_fixed_cents, fee_pass_through, currency, min_amount_cents, max_amount_cents } = campaign;
  const rate = Number(fee_rate).toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 6 });
  const inMoney = (cents: number): string => money(cents, currency);
  const hint = `From ${inMoney(min_amount_cents)} to ${inMoney(max_amount_cents)}. Counts instead of a choice above. The fee of the payment is ${rate} plus ${inMoney(fee_fixed_cents)}${fee_pass_through ? '; on the next page you can choose to cover it' : ''}.`;
  const describedBy = errors['other_amount'] ? ' aria-describedby="other_amount-error"' : '';
  return `<fieldset${describedBy}><legend class="label">Amount</legend>
${choices.join('\n')}
${field('other_amount', 'Another amount', hint, errors, (facts) => `<input type="text" inputmode="decimal" autocomplete="transaction-amount" ${facts} value="${escapeHtml(form.other_amount)}">`)}
</fieldset>`;
}

/** Choices of how often the donor gives, in words. */
const INTERVALS: Record<RecurringInterval | '', string> = {
  '': 'Once',
  monthly: 'Every month',
  quarterly: 'Every quarter',
  annually: 'Every year',
};

/** Returns how often a form gives; once if its value is unknown. */
const intervalOf = ({ recurring_interval: value }: TypedGift): RecurringInterval | '' =>
  value in INTERVALS ? (value as RecurringInterval) : '';

function intervalFields(form: TypedGift): string {
  const chosen = intervalOf(form);
  const choices = Object.entries(INTERVALS).map(
    ([value, label]) =>
      `<label class="choice"><input type="radio" name="recurring_interval" value="${value}"${value === chosen ? ' checked' : ''}>
<span>${label}</span></label>`,
  );
  return `<fieldset><legend class="label">How often</legend>
<p class="hint">You can stop at any time, with the link in each mail.</p>
${choices.join('\n')}
</fieldset>`;
}

function feeText(cents: number, campaign: PublicCampaign): string {
  const [plain, covering] = offersOf(cents, campaign) as [Offer, Offer?];
  const inMoney = (amount: number): string => money(amount, campaign.currency);
  const cover = covering ? `; ${inMoney(covering.amountCents)} if you cover the fee` : '';
  return `(fee ${inMoney(plain.feeCents)}${cover})`;
}

function textField(name: keyof typeof TEXT_FIELDS, form: TypedGift, errors: FieldErrors): string {
  const { label, type, autocomplete, isRequired, hint } = TEXT_FIELDS[name];
  const required = isRequired ? ' required' : '';
  const value = escapeHtml(form[name]);
  return field(name, isRequired ? label : `${label} (optional)`, hint, errors, (facts) =>
    type === 'textarea'
      ? `<textarea rows="3" autocomplete="${autocomplete}" ${facts}${required}>\n${value}</textarea>`
      : `<input type="${type}" autocomplete="${autocomplete}" ${facts}${required} value="${value}">`,
  );
}

/**
 * Renders a labelled input with its hint and error.
 * @param input renders the input itself, from the attributes that link it to the hint and the error
 */
function field(
  name: string,
  label: string,
  hint: string,
  errors: FieldErrors,
  input: (facts: string) => string,
): string {
  const error = errors[name]?.[0];
  const describing = [...(hint ? [`${name}-hint`] : []), ...(error ? [`${name}-error`] : [])];
  const describedBy = describing.length === 0 ? '' : ` aria-describedby="${describing.join(' ')}"`;
  return `<div class="field"><label class="label" for="${name}">${label}</label>
${hint ? `<span class="hint" id="${name}-hint">${escapeHtml(hint)}</span>` : ''}
${error ? `<span class="error" id="${name}-error">Error: ${escapeHtml(error)}</span>` : ''}
${input(`id="${name}" name="${name}"${describedBy}${error ? ' aria-invalid="true"' : ''}`)}</div>`;
}

const hidden = (name: string, value: string): string =>
  `<input type="hidden" autocomplete="off" name="${name}" value="${escapeHtml(value)}">`;

/** Fields that the review page passes on to the next step. */
const REVIEWED_FIELDS = [
  'amount',
  'other_amount',
  'recurring_interval',
  ...Object.keys(TEXT_FIELDS),
  'is_anonymous',
  'idempotency_key',
] as (keyof TypedGift)[];

/** The review of a gift: each button names the exact amount that it charges. @param baseCents the chosen amount */
export function reviewPage(campaign: PublicCampaign, form: TypedGift, baseCents: number, message?: string) {
  const facts: [string, string][] = [
    ['Campaign', campaign.title],
    ['How often', INTERVALS[intervalOf(form)]],
    ['Name', `${form.first_name} ${form.last_name}`],
    ...Object.entries(TEXT_FIELDS)
      .slice(2)
      .map(([name, { label }]): [string, string] => [label, form[name as keyof TypedGift]])
      .filter(([, value]) => value.trim() !== ''),
    [
      'In the list of donors',
      form.is_anonymous ? 'Anonymous' : 'First name and initial, unless you chose to be anonymous in all gifts',
    ],
  ];
  const list = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('\n');
  return htmlPage(
    `${message ? 'Error: ' : ''}Check your gift – ${campaign.foundation_name}`,
    `${summaryOf(message === undefined ? undefined : { message })}<dl>
${list}
</dl>
<form method="post">
${REVIEWED_FIELDS.map((name) => hidden(name, form[name])).join('\n')}
${offersOf(baseCents, campaign)
  .map((offer) => offerText(offer, campaign, intervalOf(form)))
  .join('\n')}
<p><button type="submit" name="change" value="yes">Change something</button></p>
</form>`,
    { heading: 'Check your gift', headers: SENDS_ORIGIN },
  );
}

function offerText(
  { amountCents, feeCents, netCents, coversFee }: Offer,
  campaign: PublicCampaign,
  interval: RecurringInterval | '',
): string {
  const again = interval === '' ? '' : ` ${INTERVALS[interval].toLowerCase()}`;
  const inMoney = (cents: number): string => escapeHtml(money(cents, campaign.currency));
  const fee = coversFee
    ? `You cover the fee of ${inMoney(feeCents)}.`
    : `The fee of ${inMoney(feeCents)} is taken from it.`;
  return `<p>You pay ${inMoney(amountCents)}${again && ` now, and again${again} until you stop`}. ${fee} ${escapeHtml(campaign.foundation_name)} receives ${inMoney(netCents)}.</p>
<p><button type="submit" name="pay" value="${amountCents}">Pay ${inMoney(amountCents)}${again}</button></p>`;
}

/**
 * A page that sends the donor on to another address. A redirect would be blocked, because `form-action` also applies to
 * redirects that follow a sent form.
 * @param url of the provider's page, or of the page about the gift
 */
export const onwardPage = (url: string) =>
  htmlPage('Continue', `<p>You are led on. <a href="${escapeHtml(url)}">Continue</a></p>`, {
    leadsTo: { url, seconds: 0 },
  });

/** The page for drafts, internal and unknown campaigns, and those of suspended organizations. */
export const unknownCampaignPage = () =>
  htmlPage('Campaign not found', '<p>There is no campaign here. Check that the address is complete.</p>', {
    status: 404,
  });

/** A refusal that concerns no field. @param path of the campaign's page */
export const refusedPage = (message: string, path: string) =>
  htmlPage(
    'That did not work',
    `<p>${escapeHtml(message)}</p>\n<p><a href="${escapeHtml(path)}">Open the page of the campaign</a></p>`,
  );
