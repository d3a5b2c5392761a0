/** Manual payments, for tests about something else. */
import { randomUUID } from 'node:crypto';
import { inTenant } from '../../models/database/tenancy.js';
import { recordPayment } from '../../models/finances/recordPayment.js';

/** Records a manual payment. @param key the same key is the same payment */
export const paidByHand = (
  organizationId: string,
  invoiceId: string,
  amountCents: number,
  key: string = randomUUID(),
) =>
  inTenant(organizationId, () =>
    recordPayment({
      invoiceId,
      amountCents,
      processorId: null,
      intentId: null,
      processorPaymentId: `manual:${key}`,
    }),
  );
