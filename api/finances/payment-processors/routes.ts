import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { connectProcessor, requireConnectable } from '../../../models/finances/payment-processors/connectProcessor.js';
import { disableProcessor } from '../../../models/finances/payment-processors/disableProcessor.js';
import { listProcessors, readProcessor } from '../../../models/finances/payment-processors/processor.js';
import { pageOf, pageQuery, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { finances } from '../fields.js';
import { connectAfterCommit, presentProcessor, rotate, verify } from './changes.js';
import { ProcessorConnect, ProcessorJson, ProcessorRotate, ProcessorVerification } from './schema.js';

const processorPolicy = policy('payment processor', { read: [nationalAdmin], write: [nationalAdmin] });

const list = { ...finances, params: OrganizationParams };
const row = { ...finances, params: OrganizationRowParams, response: ProcessorJson };

export const processorRoutes = routes('/api/organizations/:organization_id/payment-processors', [
  get(
    '/',
    {
      ...list,
      summary: 'List card processors for dues, active and disabled',
      rule: by(processorPolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(ProcessorJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, processorPolicy, 'read');
      const page = await listProcessors({ page: query.page, pageSize: query.page_size });
      return presentPage(page, query, request, presentProcessor);
    },
  ),

  post(
    '/',
    {
      ...list,
      summary: 'Connect a card processor',
      rule: by(processorPolicy, 'write'),
      description:
        'The provider is asked which account the key belongs to. The other administrators are notified by mail.',
      stepUp: 'tenant',
      body: ProcessorConnect,
      response: ProcessorJson,
      status: 201,
      errors: [financesErrors.processor_already_active, financesErrors.webhook_secret_in_use, refuse.unavailable],
    },
    async ({ actor, body, request }) => {
      authorize(actor, processorPolicy, 'write');
      await requireConnectable('dues');
      return connectAfterCommit({ actor, request }, { ...body, purpose: 'dues' }, async (processor, account) =>
        presentProcessor(await connectProcessor(processor, account)),
      );
    },
  ),

  get(
    '/:id/',
    { ...row, summary: 'A card processor', rule: by(processorPolicy, 'read') },
    async ({ actor, params }) => {
      authorize(actor, processorPolicy, 'read');
      return presentProcessor(await readProcessor(params.id, 'dues'));
    },
  ),

  post(
    '/:id/rotate/',
    {
      ...row,
      summary: 'Replace the secrets of a card processor',
      rule: by(processorPolicy, 'write'),
      description:
        'A new key must belong to the same account as the previous one. Also possible for a disabled processor, which stays disabled. ' +
        'The other administrators are notified by mail.',
      stepUp: 'tenant',
      body: ProcessorRotate,
      errors: [
        financesErrors.processor_other_account,
        financesErrors.webhook_secret_in_use,
        refuse.stale_version,
        refuse.unavailable,
      ],
    },
    async ({ actor, params, body, request }) => {
      authorize(actor, processorPolicy, 'write');
      return rotate({ actor, request }, params.id, body, 'dues', async (processor) => presentProcessor(processor));
    },
  ),

  post(
    '/:id/verify/',
    {
      ...row,
      summary: 'Verify the credentials of a card processor with its provider',
      rule: by(processorPolicy, 'write'),
      description: 'Reads the account; nothing changes, here or at the provider.',
      response: ProcessorVerification,
      errors: [refuse.unavailable],
    },
    async ({ actor, params }) => {
      authorize(actor, processorPolicy, 'write');
      return verify(params.id, 'dues');
    },
  ),

  post(
    '/:id/disable/',
    {
      ...row,
      summary: 'Disable a card processor for new payments',
      rule: by(processorPolicy, 'write'),
      description:
        'Pending payments continue. From then on its events only make the platform query the provider itself, about charges ' +
        'that are pending and refunds of its payments. The other administrators are notified.',
      stepUp: 'tenant',
    },
    async ({ actor, params }) => {
      authorize(actor, processorPolicy, 'write');
      return presentProcessor(await disableProcessor(params.id, 'dues'));
    },
  ),
]);
