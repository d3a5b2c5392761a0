import type { OpenChargeRequest, PaymentPort } from '../../../gateways/payments/port.js';

/** Opens a charge that is not refused. @returns its id */
export async function opened(
  port: PaymentPort,
  opening: Omit<OpenChargeRequest, 'paymentMethod' | 'askedAt'> & Partial<OpenChargeRequest>,
): Promise<string> {
  const answer = await port.openCharge({ paymentMethod: 'pm_card_visa', askedAt: null, ...opening });
  if (answer.status !== 'opened') throw new Error(`The charge was refused: ${answer.failureCode}.`);
  return answer.intentId;
}
