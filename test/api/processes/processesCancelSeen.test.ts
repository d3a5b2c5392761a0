import { observedOutcome } from '../../../services/processes/cancel.js';
import {
  exportInvoices,
  hostedPage,
  payRemittance,
  refund,
  refundRequest,
} from '../../../workflows/contracts/index.js';

test('a cancel request reports cancelled if the rows were cancelled first, and finished if the process ended otherwise', () => {
  const ended = (stage: string) => ({ status: 'completed' as const, stage });
  expect(observedOutcome(ended('withdrawn'), refundRequest.cancel)).toBe('cancelled');
  expect(observedOutcome(ended('approved'), refundRequest.cancel)).toBe('finished');
  expect(observedOutcome(ended('failed'), refund.cancel)).toBe('cancelled');
  expect(observedOutcome(ended('succeeded'), refund.cancel)).toBe('finished');
  expect(observedOutcome(ended('cancelled'), exportInvoices.cancel)).toBe('cancelled');
  expect(observedOutcome(ended('ready'), exportInvoices.cancel)).toBe('finished');
  expect(observedOutcome(ended('paid'), hostedPage.cancel)).toBe('finished');
  expect(observedOutcome(ended('declined'), payRemittance.cancel)).toBe('finished');
  expect(observedOutcome({ status: 'failed', stage: 'withdrawn' }, refundRequest.cancel)).toBe('finished');
  expect(observedOutcome({ status: 'running', stage: 'opening' }, payRemittance.cancel)).toBeNull();
  expect(observedOutcome({ status: 'running', stage: 'confirming' }, payRemittance.cancel)).toBe('too_late');
});
