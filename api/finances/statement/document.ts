/** Accounts as documents: in words for people, and amounts as their currency is written. */
import { Readable } from 'node:stream';
import { accountPdf, type AccountDocument, type Column } from '../../../gateways/documents/account.js';
import { money } from '../../../models/finances/money.js';
import { AfterCommit, Answer } from '../../http/routes.js';

/** By the currency's code; nothing where it is hidden. */
export const amount = (minorUnits: number | null, currency: string): string =>
  minorUnits === null ? '' : money(minorUnits, currency, 'code').replace(/\u00a0/g, ' ');

const TEXT_COLUMNS: readonly Column[] = [
  { title: 'Date', share: 2 },
  { title: 'What happened', share: 6 },
];
const AMOUNT_COLUMNS: readonly Column[] = [
  { title: 'Change', share: 3, isAmount: true },
  { title: 'Due after it', share: 3, isAmount: true },
];

/** Whoever may not see amounts has no columns for them. */
export const columnsFor = (seesAmounts: boolean): readonly Column[] =>
  seesAmounts ? [...TEXT_COLUMNS, ...AMOUNT_COLUMNS] : TEXT_COLUMNS;

const WORDS: Record<string, string> = {
  line: 'Billed',
  invoice: 'Billed',
  fee: 'Fee',
  discount: 'Discount',
  discount_voided: 'Discount taken back',
  adjustment: 'Adjustment',
  remittance: 'Remittance',
  payment: 'Payment',
  refund: 'Refund',
  refund_failed: 'Refund that came back',
  dispute: 'Disputed with the bank',
  dispute_reinstated: 'Returned by the bank',
  credit_issued: 'Became credit',
  credit_applied: 'Paid from credit',
  credit_refunded: 'Credit paid out',
  credit_reversed: 'Credit entry reversed',
  credit_shortfall: 'Credit that is missing',
  credit_recovered: 'Credit that covers what was missing',
  void: 'Void',
};

/** A kind of entry in words, and what was said of it; once, where that begins alike. */
export const inWords = (kind: string, said: string | null): string => {
  const words = WORDS[kind] ?? kind;
  if (!said) return words;
  return said.startsWith(words) ? said : `${words}: ${said}`;
};

/** The document, drawn after the commit: no connection waits for it. @param name of the file, without its end */
export const answerPdf = (name: string, document: AccountDocument): AfterCommit<void> =>
  new AfterCommit(
    async () =>
      new Answer(undefined, {
        headers: {
          'Content-Type': 'application/pdf',
          'Content-Disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}.pdf"`,
          'Cache-Control': 'no-store',
        },
        stream: Readable.from(await accountPdf(document)),
      }),
  );
