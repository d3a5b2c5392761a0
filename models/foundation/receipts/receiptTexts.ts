/** Texts of receipts, for the PDF and for the mail that has it as an attachment. */
import { config } from '../../../config.js';
import { money } from '../../finances/money.js';
import type { RECEIPT_PLACEHOLDERS } from '../config/receiptOverrides.js';
import type { PrintedReceipt } from './TaxReceipt.js';

/** The facts of a receipt from which its texts are composed. */
export interface ReceiptFacts {
  number: string;
  amount_cents: number;
  currency: string;
  code: string;
  printed: PrintedReceipt;
}

interface PlaceholderFacts {
  donor_name: string;
  campaign: string;
  given_on: string;
  cents: number;
  currency: string;
}

/** What a gift was for: a campaign, or a fund. */
const designationOf = ({ campaign, fund }: PrintedReceipt): string => campaign ?? fund ?? '';

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

/** Returns the public page that says whether a receipt is valid. */
const verificationUrl = (code: string): string => `${config.backendUrl}/receipts/${code}`;

const titleOf = ({ number, printed }: ReceiptFacts): string =>
  printed.replaces_number === null ? `Receipt ${number}` : `Corrected receipt ${number}`;

/** The sentences that make a receipt valid. No template replaces them. */
function legalSentences({ currency, printed: { goods, replaces_number } }: ReceiptFacts): string[] {
  const returned =
    goods === null
      ? 'No goods or services were provided in exchange for this gift.'
      : `In exchange for this gift the donor received: ${goods.description}. Estimated value: ${money(goods.value_cents, currency)}. ` +
        'Only the part of the gift that exceeds this value may be deductible.';
  return replaces_number === null
    ? [returned]
    : [returned, `This receipt replaces receipt ${replaces_number}, which is no longer valid.`];
}

const present = (text: string | null): string[] => (text === null ? [] : [text]);

/** Composes the PDF of a receipt. The same receipt always gives the same content. */
export function composeReceiptDocument(receipt: ReceiptFacts) {
  const { amount_cents, currency, code, printed } = receipt;
  const format = (cents: number) => money(cents, currency);
  const went: [string, string][] =
    printed.returned_cents === 0 ? [] : [['Returned to the donor', format(printed.returned_cents)]];
  const head: [string, string][] = [
    ['Organization', printed.legal_name],
    ['EIN', printed.ein],
    ['Address', printed.mailing_address],
    ['Donor', printed.donor_name],
    ['Date of the gift', formatDay(printed.given_on)],
    [printed.campaign === null ? 'Fund' : 'Campaign', designationOf(printed)],
    ...(printed.method === 'card' ? [] : ([['Given as', METHOD_TEXTS[printed.method]]] as [string, string][])),
    [printed.method === 'card' ? 'Amount charged' : 'Amount received', format(printed.charged_cents)],
    ...went,
    ['Amount of this receipt', format(amount_cents)],
    ['Issued', formatDay(printed.issued_on)],
  ];
  const url = verificationUrl(code);
  return {
    title: titleOf(receipt),
    organization: printed.legal_name,
    createdOn: printed.issued_on,
    intro: present(printed.intro),
    head,
    paragraphs: [...legalSentences(receipt), ...present(printed.thanks)],
    link: { label: 'Anyone can check this receipt at', url },
  };
}

/** Composes the mail with which a receipt is sent. */
export function composeReceiptMail(receipt: ReceiptFacts) {
  const { amount_cents, currency, code, printed } = receipt;
  const gift = `${money(amount_cents, currency)}, given on ${formatDay(printed.given_on)} to ${designationOf(printed)}`;
  return {
    subject: `${titleOf(receipt)} for your gift to ${printed.legal_name}`,
    sender: printed.legal_name,
    paragraphs: [
      printed.intro ?? 'Thank you for your gift. Please keep this receipt for your tax records.',
      `The receipt is attached as a PDF. It is for ${gift}.`,
      ...legalSentences(receipt),
      ...present(printed.thanks),
    ],
    button: { label: 'Check this receipt', url: verificationUrl(code) },
    footer: [`${printed.legal_name}, EIN ${printed.ein}`, printed.mailing_address],
  };
}

/** Returns the name of the PDF's file. */
export const receiptFileName = ({ number }: Pick<ReceiptFacts, 'number'>): string => `receipt-${number}.pdf`;
