/**
 * The sections of a donor's home page, in their order. Each reads what it shows in the open transaction. A section has
 * its own heading, and its forms are sent to their own addresses below the home page.
 */
import type { Page, PageRequest } from '../../../models/database/page.js';
import { money } from '../../../models/finances/money.js';
import {
  listOwnGifts,
  listOwnReceipts,
  type OwnGift,
  type OwnReceipt,
} from '../../../models/foundation/portal/ownRecords.js';
import { formatDay } from '../../../models/foundation/receipts/receiptTexts.js';
import { escapeHtml, htmlPage, SENDS_ORIGIN } from '../../http/htmlPage.js';
import type { TypedDetails } from './form.js';
import { buttonForm, homePath, inputField, type Problem } from './pages.js';
import { pledgesSection } from './pledges.js';
import type { OwnPortal } from './session.js';

/** Renders one section as HTML. */
type Section = (portal: OwnPortal) => Promise<string>;

/** Rows of a list on the home page, and on a page of its own. */
const HOME_ROWS = 10;
const LIST_ROWS = 25;

const STATUSES: Record<OwnGift['status'], string> = {
  pending: 'Not paid yet',
  completed: 'Received',
  failed: 'Not paid',
  refunded: 'Given back to you',
};

function giftItem(gift: OwnGift): string {
  const { amount_cents, refunded_cents, currency, purpose, given_on, status, under_review, is_anonymous } = gift;
  const returned =
    status === 'completed' && refunded_cents > 0 ? `, ${money(refunded_cents, currency)} of it given back to you` : '';
  const state = under_review ? 'Under review' : `${STATUSES[status]}${returned}`;
  const anonymous = is_anonymous ? '. Anonymous' : '';
  return `<li><b>${escapeHtml(money(amount_cents, currency))}</b> for ${escapeHtml(purpose)}, ${formatDay(given_on)}.
<span>${escapeHtml(`${state}${anonymous}.`)}</span></li>`;
}

const receiptItem =
  ({ foundation }: Pick<OwnPortal, 'foundation'>) =>
  ({ id, number, tax_year, is_annual, amount_cents, currency }: OwnReceipt): string =>
    `<li><a href="${homePath(foundation.id)}receipts/${id}/pdf/">${is_annual ? 'Annual receipt' : 'Receipt'} ${escapeHtml(number)} (PDF)</a>,
<b>${escapeHtml(money(amount_cents, currency))}</b>, tax year ${tax_year}</li>`;

const listOf = (items: readonly string[], whenEmpty: string): string =>
  items.length === 0 ? `<p>${whenEmpty}</p>` : `<ul>\n${items.join('\n')}\n</ul>`;

/** Link to the whole list, if the home page does not show all of it. */
const allLink = (portal: OwnPortal, list: string, count: number): string =>
  count > HOME_ROWS ? `\n<p><a href="${homePath(portal.foundation.id)}${list}/">All ${count} ${list}</a></p>` : '';

const NO_GIFTS = 'We know no gifts of yours yet.';
const NO_RECEIPTS = 'You have no valid receipts.';
const HOME_PAGE = { page: 1, pageSize: HOME_ROWS };

const giftsSection: Section = async (portal) => {
  const { count, results } = await listOwnGifts({ donorId: portal.donor.id }, HOME_PAGE);
  return `<h2>Gifts</h2>\n${listOf(results.map(giftItem), NO_GIFTS)}${allLink(portal, 'gifts', count)}`;
};

const receiptsSection: Section = async (portal) => {
  const { count, results } = await listOwnReceipts({ donorId: portal.donor.id }, HOME_PAGE);
  return `<h2>Receipts</h2>\n${listOf(results.map(receiptItem(portal)), NO_RECEIPTS)}${allLink(portal, 'receipts', count)}`;
};

/** The donor's details. @param typed what the donor has sent, if it was refused */
const detailsSection =
  (typed: TypedDetails | undefined, problem: Problem | undefined): Section =>
  async ({ foundation, donor }) => {
    const { first_name, last_name } = typed ?? donor;
    const isAnonymous = typed ? typed.is_anonymous === 'yes' : donor.is_anonymous;
    const fieldOf = (name: string, label: string, autocomplete: string, value: string) =>
      inputField({ name, label, type: 'text', autocomplete, value }, problem?.fields);
    return `<h2>Your details</h2>
<dl><dt>E-mail address</dt><dd>${escapeHtml(donor.email)}</dd></dl>
<form method="post" action="${homePath(foundation.id)}details/" novalidate>
${fieldOf('first_name', 'First name', 'given-name', first_name)}
${fieldOf('last_name', 'Last name', 'family-name', last_name)}
<p><label class="choice"><input type="checkbox" name="is_anonymous" value="yes"${isAnonymous ? ' checked' : ''}>
Show my future gifts as Anonymous</label></p>
<p><button type="submit">Save</button></p>
</form>
<p class="hint">Gifts and receipts that you have already keep their name. Write to ${escapeHtml(foundation.name)} to correct them, or to
change your e-mail address.</p>`;
  };

/** The home page. @param refused details that were sent and refused, which the page shows again */
export async function ownHomePage(portal: OwnPortal, refused?: { typed: TypedDetails; problem: Problem }) {
  const sections: Section[] = [
    pledgesSection,
    giftsSection,
    receiptsSection,
    detailsSection(refused?.typed, refused?.problem),
  ];
  const rendered: string[] = [];
  for (const section of sections) rendered.push(await section(portal));
  const { foundation, donor } = portal;
  const problem = refused
    ? `<p class="problem" role="alert" tabindex="-1" autofocus>${escapeHtml(refused.problem.message)}</p>\n`
    : '';
  return htmlPage(
    `${refused ? 'Error: ' : ''}Your gifts – ${foundation.name}`,
    `${problem}<p>Welcome, ${escapeHtml(`${donor.first_name} ${donor.last_name}`)}. These are your own pages at ${escapeHtml(foundation.name)}.</p>
${rendered.join('\n')}
${buttonForm(`${homePath(foundation.id)}sign-out/`, 'Sign out')}`,
    { heading: 'Your gifts', headers: SENDS_ORIGIN },
  );
}

/** Lists that have pages of their own. */
const LISTS = {
  gifts: {
    heading: 'Gifts',
    read: async ({ donor }: OwnPortal, page: PageRequest) =>
      itemsOf(await listOwnGifts({ donorId: donor.id }, page), giftItem, NO_GIFTS),
  },
  receipts: {
    heading: 'Receipts',
    read: async (portal: OwnPortal, page: PageRequest) =>
      itemsOf(await listOwnReceipts({ donorId: portal.donor.id }, page), receiptItem(portal), NO_RECEIPTS),
  },
};

const itemsOf = <Row>({ count, results }: Page<Row>, item: (row: Row) => string, whenEmpty: string) => ({
  count,
  html: listOf(results.map(item), whenEmpty),
});

/** A page of a whole list. @throws Refusal page_not_found */
export async function ownListPage(portal: OwnPortal, list: keyof typeof LISTS, page: number) {
  const { heading, read } = LISTS[list];
  const { count, html } = await read(portal, { page, pageSize: LIST_ROWS });
  const home = homePath(portal.foundation.id);
  const link = (number: number, label: string): string => `<a href="${home}${list}/?page=${number}">${label}</a>`;
  const links = [
    ...(page > 1 ? [link(page - 1, 'Newer')] : []),
    ...(count > page * LIST_ROWS ? [link(page + 1, 'Older')] : []),
    `<a href="${home}">Back to your pages</a>`,
  ];
  return htmlPage(`${heading} – ${portal.foundation.name}`, `${html}\n<p>${links.join(' &middot; ')}</p>`, { heading });
}
