import { z } from 'zod';
import { financesErrors } from '../../../models/finances/errors.js';
import { remindOfInvoice } from '../../../models/finances/reminders/remindOfInvoice.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { invoicePolicy } from './policy.js';
import { readVisibleInvoice } from './readVisibleInvoice.js';

const { invoice_void, nothing_due, invoice_frozen, invoice_disputed, already_reminded, own_invoice } = financesErrors;

const RemindedJson = z
  .object({
    invoice: z.uuid(),
    reminded_on: z.iso
      .date()
      .meta({ description: 'The day in the organization’s time zone; the next reminder is possible on another day.' }),
  })
  .meta({ id: 'InvoiceReminded' });

export const remindRoutes = routes('/api/invoices/:id', [
  post(
    '/remind/',
    {
      ...finances,
      summary: 'Remind the payer of an invoice',
      description:
        'Once a day per invoice. Officers remind the payers of their chapter, but not themselves. No reminder is sent while a request for an installment plan ' +
        'freezes the invoice, or while a payment of it is disputed.',
      operationId: 'remindOfInvoice',
      rule: by(invoicePolicy, 'remind'),
      params: RowParams,
      response: RemindedJson,
      status: 201,
      errors: [invoice_void, nothing_due, invoice_frozen, invoice_disputed, already_reminded, own_invoice],
    },
    async ({ actor, params: { id } }) => {
      const { chapter, membership } = await readVisibleInvoice(actor, id);
      const subject = { chapter_id: chapter, membership_id: membership };
      authorize(actor, invoicePolicy, 'remind', subject);
      if (!may(actor, invoicePolicy, 'discount', subject) && actor.membershipIds.includes(membership ?? ''))
        throw own_invoice();
      return remindOfInvoice(id);
    },
  ),
]);
