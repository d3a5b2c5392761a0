import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { cents, previewHash } from '../../../models/fields.js';
import { financesErrors } from '../../../models/finances/errors.js';
import {
  previewRegeneration,
  regenerateAsPreviewed,
} from '../../../models/finances/regeneration/previewRegeneration.js';
import { OrganizationRowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { Answer, post, type Route } from '../../http/routes.js';
import { finances } from '../fields.js';
import { invoicePolicy } from './policy.js';
import { presentInvoiceDetail } from './present.js';
import { readVisibleInvoice } from './readVisibleInvoice.js';
import { InvoiceJson } from './schema.js';

const RegenerationBody = z
  .strictObject({
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with a preview and change nothing.' }),
    preview_hash: previewHash.optional().meta({ description: 'Hash of a preview; any other result is refused.' }),
  })
  .meta({ id: 'InvoiceRegeneration' });

const { lines } = InvoiceJson.shape;
const RegenerationPreviewJson = z
  .object({
    dry_run: z.literal(true),
    preview_hash: previewHash,
    credit_issued_cents: cents.meta({
      description: 'Payments beyond the new total, which become credit of the payer.',
    }),
    replacement: z.object({
      ...InvoiceJson.pick({ description: true, currency: true, due_date: true, status: true }).shape,
      ...InvoiceJson.pick({ total_cents: true, discount_cents: true, credit_cents: true, paid_cents: true }).shape,
      ...InvoiceJson.pick({ overpaid_cents: true, balance_due_cents: true }).shape,
      lines: z.array(lines.element.omit({ id: true })),
    }),
  })
  .meta({ id: 'InvoiceRegenerationPreview' });

export const invoiceRegenerateRoutes: Route[] = [
  post(
    '/api/hq/dues/:organization_id/invoices/:id/regenerate/',
    {
      ...finances,
      summary: 'Void recurring dues and issue them again with the current members and rates',
      description:
        'Valid payments, fees and discounts move to the replacement; payments beyond its total become credit. With `dry_run` the answer is 200 with a preview.',
      operationId: 'regenerateInvoice',
      rule: by(invoicePolicy, 'regenerate'),
      params: OrganizationRowParams,
      body: RegenerationBody,
      response: z.union([InvoiceJson, RegenerationPreviewJson]),
      status: 201,
      alsoStatus: [200],
      errors: [
        refuse.preview_stale,
        financesErrors.invoice_not_regenerable,
        financesErrors.refund_in_progress,
        financesErrors.billing_mode_changed,
        financesErrors.nothing_to_issue,
      ],
    },
    async ({ actor, params: { id }, body: { dry_run, preview_hash } }) => {
      authorize(actor, invoicePolicy, 'regenerate');
      if (dry_run) return new Answer({ dry_run, ...(await previewRegeneration(id)) }, { status: 200 });
      const replacementId = await regenerateAsPreviewed(id, preview_hash);
      return presentInvoiceDetail(actor, await readVisibleInvoice(actor, replacementId));
    },
  ),
];
