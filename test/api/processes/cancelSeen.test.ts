import { seenOf } from '../../../api/processes/cancel.js';
import {
  exportInvoices,
  hostedPage,
  payRemittance,
  refund,
  refundRequest,
} from '../../../workflows/contracts/index.js';

test('a process that finds its rows called off before it is asked to end is cancelled; one that was quicker has ended', () => {
  const ended = (stage: string) => ({ status: 'completed' as const, stage });
  expect(seenOf(ended('withdrawn'), refundRequest.cancel)).toBe('cancelled');
  expect(seenOf(ended('approved'), refundRequest.cancel)).toBe('finished');
  expect(seenOf(ended('failed'), refund.cancel)).toBe('cancelled');
  expect(seenOf(ended('succeeded'), refund.cancel)).toBe('finished');
  expect(seenOf(ended('cancelled'), exportInvoices.cancel)).toBe('cancelled');
  expect(seenOf(ended('ready'), exportInvoices.cancel)).toBe('finished');
  expect(seenOf(ended('paid'), hostedPage.cancel)).toBe('finished');
  expect(seenOf(ended('declined'), payRemittance.cancel)).toBe('finished');
  expect(seenOf({ status: 'failed', stage: 'withdrawn' }, refundRequest.cancel)).toBe('finished');
  expect(seenOf({ status: 'running', stage: 'opening' }, payRemittance.cancel)).toBeNull();
  expect(seenOf({ status: 'running', stage: 'confirming' }, payRemittance.cancel)).toBe('too_late');
});
