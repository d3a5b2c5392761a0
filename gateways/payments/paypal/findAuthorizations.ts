/** Searches the account's list of transactions for authorizations of which we do not know the order. */
import { CredentialsRefused, OutcomeUnknown, type OpenChargeRequest } from '../port.js';
import { translateError } from './answers.js';
import type { RunRequest } from './client.js';
import { writeMarks } from './marks.js';

const CLOCK_TOLERANCE_MS = 600_000;
/** Requests with the same idempotency key may have been sent for this long after the first attempt. */
const SEND_PERIOD_MS = 6 * 3_600_000;
const PAGE_SIZE = 500;
/** Matches PayPal's transaction codes for authorizations, which reserve money without taking it. */
const AUTHORIZATION_CODE = /^T13/;

/**
 * Returns the ids of the authorizations that carry the reference of the charge.
 * @throws OutcomeUnknown if PayPal's list does not cover the period yet, because it is hours behind; or if the key may
 * not read the list
 */
export async function findAuthorizations(
  ask: RunRequest,
  { askedAt, reference }: OpenChargeRequest,
): Promise<string[]> {
  const from = (askedAt ?? new Date()).getTime();
  const startDate = new Date(from - CLOCK_TOLERANCE_MS).toISOString();
  const until = from + SEND_PERIOD_MS + CLOCK_TOLERANCE_MS;
  if (until > Date.now()) throw new OutcomeUnknown('The list of transactions does not cover this period yet.');
  const endDate = new Date(until).toISOString();
  const ids: string[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const query = { startDate, endDate, balanceAffectingRecordsOnly: 'N', fields: 'transaction_info' };
    const list = await ask(({ search }) => search.searchTransactions({ ...query, pageSize: PAGE_SIZE, page })).catch(
      (error: unknown) => {
        const refused = translateError(error);
        // The credentials may be valid for charges and still lack the right to list transactions. So the outcome counts
        // as unknown, and the credentials are not reported as refused.
        throw refused instanceof CredentialsRefused
          ? new OutcomeUnknown('The key may not list transactions.')
          : refused;
      },
    );
    if (!list.lastRefreshedDatetime || Date.parse(list.lastRefreshedDatetime) < until)
      throw new OutcomeUnknown('The list of transactions does not cover this period yet.');
    last = list.totalPages ?? 1;
    for (const { transactionInfo: one } of list.transactionDetails ?? [])
      if (
        one?.customField === writeMarks(reference) &&
        one.transactionId &&
        AUTHORIZATION_CODE.test(one.transactionEventCode ?? '')
      )
        ids.push(one.transactionId);
  }
  return ids;
}
