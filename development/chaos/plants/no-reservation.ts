/**
 * Planted fault: each try of a refund uses a new id and idempotency key instead of the reserved id, and remembers them
 * only in memory and only after the answer. If the answer is lost, the money has been refunded and the next try refunds
 * it again.
 */
import type { PaymentPort, ProcessorAccess } from '../../../gateways/payments/port.js';
import * as processors from '../../../gateways/payments/processors.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { replace } from './replace.js';

const { paymentPort } = processors;
const answered = new Map<string, string>();

replace(processors, {
  paymentPort: (access: ProcessorAccess): PaymentPort => {
    const port = paymentPort(access);
    return {
      ...port,
      refundCharge: async (request) => {
        const refundId = uuidv7();
        const refund = await port.refundCharge({ ...request, refundId, idempotencyKey: `refund:${refundId}` });
        answered.set(refundId, request.refundId);
        return refund;
      },
      readRefunds: async (intentId) =>
        (await port.readRefunds(intentId)).map((one) => ({
          ...one,
          refundId: answered.get(one.refundId ?? '') ?? one.refundId,
        })),
    };
  },
});
