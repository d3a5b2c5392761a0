/** Texts of receipts, for the PDF and for the mail that has it as an attachment. */
import { config } from '../../../config.js';
import { money } from '../../finances/money.js';
import type { RECEIPT_PLACEHOLDERS } from '../config/receiptOverrides.js';
import type { PrintedAnnualReceipt, PrintedReceipt } from './TaxReceipt.js';

/** The facts of a receipt from which its texts are composed. */
interface Facts<Printed> {
  number: string;
  amount_cents: number;
  currency: string;
  code: string;
  printed: Printed;
}
export type ReceiptFacts = Facts<PrintedReceipt | PrintedAnnualReceipt>;
type GiftReceipt = Facts<PrintedReceipt>;
type AnnualReceipt = Facts<PrintedAnnualReceipt>;

const isAnnual = (receipt: ReceiptFacts): receipt is AnnualReceipt => 'gifts' in receipt.printed;

interface PlaceholderFacts {
  donor_name: string;
  campaign: string;
  given_on: string;
  cents: number;
  currency: string;
}

/** Returns the purpose of a gift: a campaign, or a fund. */
const designationOf = ({ campaign, fund }: Pick<PrintedReceipt, 'campaign' | 'fund'>): string => campaign ?? fund ?? '';

const METHOD_TEXTS: Readonly<Record<Exclude<PrintedReceipt['method'], 'card'>, string>> = {
  cash: 'Cash',
  check: 'Check',
  bank_transfer: 'Bank transfer',
  donor_advised_fund: 'Donor-advised fund',
  other: 'Other',
};

/** Formats a calendar day: January 2, 2026. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** Replaces the placeholders of a template in one pass, so that a value that looks like a placeholder stays as it is. */
export function fillPlaceholders(template: string, facts: PlaceholderFacts): string {
  const values: Record<(typeof RECEIPT_PLACEHOLDERS)[number], string> = {
    donor_name: facts.donor_name,
    amount: money(facts.cents, facts.currency),
    date: formatDay(facts.given_on),
    campaign: facts.campaign,
  };
  return template.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof typeof values] : whole,
  );
}

/**
 * Replaces the placeholders of a template on an annual receipt. A template that names the date or the campaign of a gift is
 * about one gift, so it is left out.
 */
export function fillAnnualPlaceholders(
  template: string | undefined,
  { donor_name, cents, currency }: Pick<PlaceholderFacts, 'donor_name' | 'cents' | 'currency'>,
): string | null {
  if (template === undefined || /\{(?:date|campaign)\}/.test(template)) return null;
  const values: Record<string, string> = { donor_name, amount: money(cents, currency) };
  return template.replaceAll(/\{(donor_name|amount)\}/g, (_, name: string) => values[name] as string);
}

/** Returns the public page that says whether a receipt is valid. */
const verificationUrl = (code: string): string => `${config.backendUrl}/receipts/${code}`;

const titleOf = (receipt: ReceiptFacts): string => {
  const name = isAnnual(receipt)
    ? `annual receipt ${receipt.number} for ${receipt.printed.tax_year}`
    : `receipt ${receipt.number}`;
  return receipt.printed.replaces_number === null ? `${name[0]?.toUpperCase()}${name.slice(1)}` : `Corrected ${name}`;
};

const NO_GOODS = 'No goods or services were provided in exchange for';

const ADDITION =
  'This receipt lists all gifts of the year. It is no addition to the receipts of single gifts: do not claim a gift twice.';

const replacement = ({ replaces_number }: { replaces_number: string | null }): string[] =>
  replaces_number === null ? [] : [`This receipt replaces receipt ${replaces_number}, which is no longer valid.`];

/** The sentences that make a receipt valid. No template replaces them. */
const legalSentences = ({ currency, printed }: GiftReceipt): string[] => [
  printed.goods === null
    ? `${NO_GOODS} this gift.`
    : `In exchange for this gift the donor received: ${printed.goods.description}. Estimated value: ${money(printed.goods.value_cents, currency)}. ` +
      'Only the part of the gift that exceeds this value may be deductible.',
  ...replacement(printed),
];

/** The sentences that make an annual receipt valid. */
function annualSentences({ currency, printed }: AnnualReceipt): string[] {
  const withGoods = printed.gifts.flatMap(({ given_on, goods, ...gift }) =>
    goods === null
      ? []
      : [
          `In exchange for the gift of ${formatDay(given_on)} to ${designationOf(gift)} the donor received: ${goods.description}. ` +
            `Estimated value: ${money(goods.value_cents, currency)}.`,
        ],
  );
  return [
    ADDITION,
    ...withGoods,
    ...(withGoods.length === 0
      ? [`${NO_GOODS} these gifts.`]
      : [
          'Only the part of a gift that exceeds this value may be deductible.',
          ...(withGoods.length < printed.gifts.length ? [`${NO_GOODS} the other gifts.`] : []),
        ]),
    ...replacement(printed),
  ];
}

const present = (text: string | null): string[] => (text === null ? [] : [text]);

/** Composes the PDF of a receipt. The same receipt always gives the same content. */
export function composeReceiptDocument(receipt: ReceiptFacts) {
  const { code, printed } = receipt;
  return {
    title: titleOf(receipt),
    organization: printed.legal_name,
    createdOn: printed.issued_on,
    intro: present(printed.intro),
    ...(isAnnual(receipt) ? annualFacts(receipt) : giftFacts(receipt as GiftReceipt)),
    link: { label: 'Anyone can check this receipt at', url: verificationUrl(code) },
  };
}

/** The facts that begin every receipt. */
const issuerFacts = ({ legal_name, ein, mailing_address, donor_name }: ReceiptFacts['printed']): [string, string][] => [
  ['Organization', legal_name],
  ['EIN', ein],
  ['Address', mailing_address],
  ['Donor', donor_name],
];

function giftFacts(receipt: GiftReceipt) {
  const { amount_cents, currency, printed } = receipt;
  const format = (cents: number) => money(cents, currency);
  const went: [string, string][] =
    printed.returned_cents === 0 ? [] : [['Returned to the donor', format(printed.returned_cents)]];
  const head: [string, string][] = [
    ...issuerFacts(printed),
    ['Date of the gift', formatDay(printed.given_on)],
    [printed.campaign === null ? 'Fund' : 'Campaign', designationOf(printed)],
    ...(printed.method === 'card' ? [] : ([['Given as', METHOD_TEXTS[printed.method]]] as [string, string][])),
    [printed.method === 'card' ? 'Amount charged' : 'Amount received', format(printed.charged_cents)],
    ...went,
    ['Amount of this receipt', format(amount_cents)],
    ['Issued', formatDay(printed.issued_on)],
  ];
  return { head, paragraphs: [...legalSentences(receipt), ...present(printed.thanks)] };
}

/** Columns of the gifts, with their shares of the width. */
const GIFT_COLUMNS = [
  { title: 'Date', share: 3 },
  { title: 'Campaign or fund', share: 4 },
  { title: 'Given', share: 2, isAmount: true as const },
  { title: 'Returned', share: 2, isAmount: true as const },
  { title: 'Kept', share: 2, isAmount: true as const },
];

function annualFacts(receipt: AnnualReceipt) {
  const { amount_cents, currency, printed } = receipt;
  const format = (cents: number) => money(cents, currency);
  const head: [string, string][] = [
    ...issuerFacts(printed),
    ['Tax year', String(printed.tax_year)],
    ['Number of gifts', String(printed.gifts.length)],
    ['Amount of this receipt', format(amount_cents)],
    ['Issued', formatDay(printed.issued_on)],
  ];
  const rows = printed.gifts.map(({ given_on, charged_cents, returned_cents, ...gift }) => [
    formatDay(given_on),
    designationOf(gift),
    format(charged_cents),
    format(returned_cents),
    format(charged_cents - returned_cents),
  ]);
  return {
    head,
    table: { columns: GIFT_COLUMNS, rows },
    paragraphs: [...annualSentences(receipt), ...present(printed.thanks)],
  };
}

/** Composes the mail with which a receipt is sent. */
export function composeReceiptMail(receipt: ReceiptFacts) {
  const { code, printed } = receipt;
  return {
    ...(isAnnual(receipt) ? annualMail(receipt) : giftMail(receipt as GiftReceipt)),
    sender: printed.legal_name,
    button: { label: 'Check this receipt', url: verificationUrl(code) },
    footer: [`${printed.legal_name}, EIN ${printed.ein}`, printed.mailing_address],
  };
}

function giftMail(receipt: GiftReceipt) {
  const { amount_cents, currency, printed } = receipt;
  const gift = `${money(amount_cents, currency)}, given on ${formatDay(printed.given_on)} to ${designationOf(printed)}`;
  return {
    subject: `${titleOf(receipt)} for your gift to ${printed.legal_name}`,
    paragraphs: [
      printed.intro ?? 'Thank you for your gift. Please keep this receipt for your tax records.',
      `The receipt is attached as a PDF. It is for ${gift}.`,
      ...legalSentences(receipt),
      ...present(printed.thanks),
    ],
  };
}

function annualMail(receipt: AnnualReceipt) {
  const { amount_cents, currency, printed } = receipt;
  const { length } = printed.gifts;
  return {
    subject: `${titleOf(receipt)} of ${printed.legal_name}`,
    paragraphs: [
      printed.intro ?? 'Thank you for your gifts. Please keep this receipt for your tax records.',
      `The receipt is attached as a PDF. It is for ${money(amount_cents, currency)}, given in ${printed.tax_year} with ${length === 1 ? 'one gift' : `${length} gifts`}.`,
      ADDITION,
      ...replacement(printed),
      ...present(printed.thanks),
    ],
  };
}

/** Returns the name of the PDF's file. */
export const receiptFileName = ({ number }: Pick<ReceiptFacts, 'number'>): string => `receipt-${number}.pdf`;
