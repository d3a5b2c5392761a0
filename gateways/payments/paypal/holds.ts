/** What an opening holds of which nobody knows the order, found in the account's list of transactions. */
import { CredentialsRefused, OutcomeUnknown, type Opening } from '../port.js';
import { understood } from './answers.js';
import type { Ask } from './client.js';
import { writeMarks } from './marks.js';

const CLOCKS_DIFFER_MS = 600_000;
/** Until then its key may have been sent. */
const SENT_FOR_MS = 6 * 3_600_000;
const PAGE = 500;
/** Of a transaction that holds money and takes none yet. */
const HOLDS = /^T13/;

/**
 * Ids of authorizations that are marked with the opening's reference.
 * @throws OutcomeUnknown while the list, which is hours behind, does not reach so far, or may not be read
 */
export async function holdsOf(ask: Ask, { askedAt, reference }: Opening): Promise<string[]> {
  const from = (askedAt ?? new Date()).getTime();
  const startDate = new Date(from - CLOCKS_DIFFER_MS).toISOString();
  const until = from + SENT_FOR_MS + CLOCKS_DIFFER_MS;
  if (until > Date.now()) throw new OutcomeUnknown('The list of transactions does not reach so far yet.');
  const endDate = new Date(until).toISOString();
  const found: string[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const asked = { startDate, endDate, balanceAffectingRecordsOnly: 'N', fields: 'transaction_info' };
    const list = await ask(({ search }) => search.searchTransactions({ ...asked, pageSize: PAGE, page })).catch(
      (error: unknown) => {
        const refused = understood(error);
        // Whoever may charge need not be allowed to list.
        throw refused instanceof CredentialsRefused
          ? new OutcomeUnknown('The transactions may not be listed.')
          : refused;
      },
    );
    if (!list.lastRefreshedDatetime || Date.parse(list.lastRefreshedDatetime) < until)
      throw new OutcomeUnknown('The list of transactions does not reach so far yet.');
    last = list.totalPages ?? 1;
    for (const { transactionInfo: one } of list.transactionDetails ?? [])
      if (one?.customField === writeMarks(reference) && one.transactionId && HOLDS.test(one.transactionEventCode ?? ''))
        found.push(one.transactionId);
  }
  return found;
}
