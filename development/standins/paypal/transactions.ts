/**
 * PayPal's list of transactions, in pages: movements of money, and authorizations if they are requested. Times have a
 * resolution of one second.
 */
import { malformed, PaypalRefusal } from './errors.js';
import type { PaypalPresenter } from './shown.js';
import { centsOf, type Dispute, type Fields, type Money, type State } from './state.js';

/** PayPal's own limit of the results of one query. */
const MAX_RESULTS = 10_000;
const MAX_PAGE_SIZE = 500;
const MAX_RANGE_MS = 31 * 86_400_000;
/** Fee of a captured payment: 3.49% and 49 cents. */
const feeOf = (cents: number): number => Math.round(cents * 0.0349) + 49;

interface TransactionQuery {
  account: string;
  query: URLSearchParams;
}
interface Parts {
  state: State;
  shown: PaypalPresenter;
}

/** GET /v1/reporting/transactions */
export function listTransactions({ account, query }: TransactionQuery, parts: Parts): Fields {
  const [from, to] = ['start_date', 'end_date'].map((name) => Date.parse(query.get(name) ?? ''));
  if (!from || !to) throw malformed('MISSING_REQUIRED_PARAMETER');
  if (to < from || to - from > MAX_RANGE_MS) throw malformed('INVALID_PARAMETER_VALUE');
  const held = query.get('balance_affecting_records_only') === 'N' ? holds(account, parts) : [];
  const matching = [...moved(account, parts), ...held]
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((a, b) => a.at - b.at);
  if (matching.length > MAX_RESULTS) throw new PaypalRefusal(400, 'RESULTSET_TOO_LARGE');
  const size = Math.min(MAX_PAGE_SIZE, Number(query.get('page_size') ?? 100) || 100);
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
  return {
    transaction_details: matching.slice((page - 1) * size, page * size).map(({ info }) => ({ transaction_info: info })),
    page,
    total_pages: Math.max(1, Math.ceil(matching.length / size)),
    total_items: matching.length,
    last_refreshed_datetime: paypalTime(Date.now()),
  };
}

interface Line {
  at: number;
  info: Fields;
}

/** PayPal's times have a resolution of one second. */
const secondOf = (moment: string): number => Math.floor(Date.parse(moment) / 1000) * 1000;
const paypalTime = (moment: number): string => new Date(moment).toISOString().replace(/\.\d+Z$/, '+0000');

function line(moment: string, info: Fields): Line {
  const at = secondOf(moment);
  return {
    at,
    info: { ...info, transaction_initiation_date: paypalTime(at), transaction_updated_date: paypalTime(at) },
  };
}

const valued = (money: Money | undefined, cents: number): Money => ({
  currency_code: money?.currency_code ?? 'USD',
  value: (cents / 100).toFixed(2),
});

const holds = (account: string, { state, shown }: Parts): Line[] =>
  Object.values(state.kept.authorization)
    .filter((one) => one.account === account)
    .map((one) =>
      line(one.create_time, {
        transaction_id: one.id,
        transaction_event_code: 'T1300',
        transaction_status: 'S',
        custom_field: shown.authorization(one)['custom_id'],
      }),
    );

function moved(account: string, { state }: Parts): Line[] {
  const unitOf = (capture: string) => state.kept.order[state.kept.capture[capture]?.order ?? '']?.unit;
  const theirs = <T extends { account: string }>(all: Record<string, T>): T[] =>
    Object.values(all).filter((one) => one.account === account);
  const ofDispute = ({ id, capture, moved: movements }: Dispute): Line[] =>
    movements.map(({ type, reason, amount, initiated_time }, n) =>
      line(initiated_time, {
        transaction_id: `${id.replaceAll('-', '')}${n}`,
        paypal_reference_id: capture,
        paypal_reference_id_type: 'TXN',
        transaction_event_code: reason === 'CHARGEBACK_FEE' ? 'T0106' : type === 'DEBIT' ? 'T1201' : 'T1202',
        transaction_status: 'S',
        transaction_amount: valued(amount, (type === 'DEBIT' ? -1 : 1) * centsOf(amount)),
      }),
    );
  return [
    ...theirs(state.kept.capture)
      .filter(({ status }) => status === 'COMPLETED')
      .map(({ id, create_time }) => {
        const unit = unitOf(id);
        const cents = unit ? centsOf(unit.amount) : 0;
        return line(create_time, {
          transaction_id: id,
          transaction_event_code: 'T0006',
          transaction_status: 'S',
          transaction_amount: valued(unit?.amount, cents),
          fee_amount: valued(unit?.amount, -feeOf(cents)),
          custom_field: unit?.custom_id,
        });
      }),
    ...theirs(state.kept.refund)
      .filter(({ status }) => status !== 'PENDING')
      .map(({ id, capture, amount, custom_id, status, create_time, dispute }) =>
        line(create_time, {
          transaction_id: id,
          paypal_reference_id: capture,
          paypal_reference_id_type: 'TXN',
          transaction_event_code: dispute === undefined ? 'T1107' : 'T1106',
          transaction_status: status === 'FAILED' ? 'V' : 'S',
          transaction_amount: valued(amount, -centsOf(amount)),
          custom_field: custom_id,
        }),
      ),
    // Leave out disputes that ended with a refund: the refund is listed above as a reversal (T1106).
    ...theirs(state.kept.dispute)
      .filter((one) => !state.endOf(one))
      .flatMap(ofDispute),
  ];
}
