import { readRow } from '../../../models/database/model/read.js';
import { Refund } from '../../../models/finances/refunds/Refund.js';
import { RowParams } from '../../http/params.js';
import { by } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { invoicePolicy } from '../invoices/policy.js';
import { readVisibleInvoice } from '../invoices/readVisibleInvoice.js';
import { presentRefund } from './present.js';
import { RefundJson } from './schema.js';

export const refundRoutes = routes('/api/refunds', [
  get(
    '/:id/',
    {
      ...finances,
      summary: 'A refund and its progress',
      description: 'For people who may read its invoice.',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      response: RefundJson,
    },
    async ({ actor, params }) => {
      const refund = await readRow(Refund, params.id);
      return presentRefund(actor, await readVisibleInvoice(actor, refund.invoice), refund);
    },
  ),
]);
