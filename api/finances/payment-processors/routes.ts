import { z } from 'zod';
import { config } from '../../../config.js';
import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { connectProcessor } from '../../../models/finances/processors/connectProcessor.js';
import { disableProcessor } from '../../../models/finances/processors/disableProcessor.js';
import { listProcessors, type Processor, readProcessor } from '../../../models/finances/processors/processor.js';
import { rotateProcessor } from '../../../models/finances/processors/rotateProcessor.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageQuery, presentPage } from '../../http/pagination.js';
import { authorize } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances, OrganizationParams, OrganizationRowParams } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { processorPolicy } from './policy.js';
import { ProcessorConnect, ProcessorJson, ProcessorRotate } from './schema.js';

const list = { ...finances, params: OrganizationParams };
const row = { ...finances, params: OrganizationRowParams, response: ProcessorJson };

function admit(actor: Actor, organizationId: string, action: 'read' | 'write'): void {
  organizationInPath(actor, organizationId);
  authorize(actor, processorPolicy, action);
}

const present = (processor: Processor) => ({
  ...processor,
  webhook_url: `${config.backendUrl}/api/finances/webhooks/processor/?processor=${processor.id}`,
});

export const processorRoutes = routes('/api/organizations/:organization_id/payment-processors', [
  get(
    '/',
    {
      ...list,
      summary: 'List card processors, active and disabled',
      query: z.object(pageQuery),
      response: pageOf(ProcessorJson),
    },
    async ({ actor, params, query, request }) => {
      admit(actor, params.organization_id, 'read');
      const page = await listProcessors({ page: query.page, pageSize: query.page_size });
      return presentPage(page, query, request, present);
    },
  ),

  post(
    '/',
    {
      ...list,
      summary: 'Connect a card processor',
      body: ProcessorConnect,
      response: ProcessorJson,
      status: 201,
      errors: [financesErrors.processor_already_active, financesErrors.provider_not_implemented],
    },
    async ({ actor, params, body }) => {
      admit(actor, params.organization_id, 'write');
      return present(await connectProcessor(body));
    },
  ),

  get('/:id/', { ...row, summary: 'A card processor' }, async ({ actor, params }) => {
    admit(actor, params.organization_id, 'read');
    return present(await readProcessor(params.id));
  }),

  post(
    '/:id/rotate/',
    {
      ...row,
      summary: 'Replace the secrets of a card processor',
      body: ProcessorRotate,
      errors: [financesErrors.processor_disabled, refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      admit(actor, params.organization_id, 'write');
      return present(await rotateProcessor(params.id, body));
    },
  ),

  post(
    '/:id/disable/',
    { ...row, summary: 'Take no new payments through a card processor' },
    async ({ actor, params }) => {
      admit(actor, params.organization_id, 'write');
      return present(await disableProcessor(params.id));
    },
  ),
]);
