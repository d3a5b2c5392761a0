/**
 * Fault: what the gateway is asked for is not what was reserved. Each try gives money back under an id and a key of its own, and
 * which refund it was for is kept in memory, and only when it is answered. A try whose answer is lost has given back, and the
 * next one does so again.
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
      refundCharge: async (asked) => {
        const refundId = uuidv7();
        const made = await port.refundCharge({ ...asked, refundId, idempotencyKey: `refund:${refundId}` });
        answered.set(refundId, asked.refundId);
        return made;
      },
      readRefunds: async (intentId) =>
        (await port.readRefunds(intentId)).map((one) => ({
          ...one,
          refundId: answered.get(one.refundId ?? '') ?? one.refundId,
        })),
    };
  },
});
