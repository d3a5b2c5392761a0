import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import {
  connectProcessor,
  credentialsFor,
  requireConnectable,
} from '../../../models/finances/payment-processors/connectProcessor.js';
import { disableProcessor } from '../../../models/finances/payment-processors/disableProcessor.js';
import {
  listProcessors,
  type Processor,
  readProcessor,
} from '../../../models/finances/payment-processors/processor.js';
import { readPreviousKey, rotateProcessor } from '../../../models/finances/payment-processors/rotateProcessor.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { dispatchSoon } from '../../http/dispatch.js';
import { pageOf, pageQuery, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { AfterCommit, get, post, type RequestFacts, routes } from '../../http/routes.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { finances } from '../fields.js';
import { webhookUrl } from '../webhooks/address.js';
import { readKeyAccount, requireSameAccount, verifyCredentials } from './accounts.js';
import { ProcessorConnect, ProcessorJson, ProcessorRotate, ProcessorVerification } from './schema.js';
import { originOf } from '../../http/origin.js';

const processorPolicy = policy('payment processor', { read: [nationalAdmin], write: [nationalAdmin] });

const list = { ...finances, params: OrganizationParams };
const row = { ...finances, params: OrganizationRowParams, response: ProcessorJson };

const present = (processor: Processor) => ({
  ...processor,
  webhook_url: webhookUrl(processor.id),
});

/** Writes in a transaction of its own, after the provider has answered. The mails start after its commit. */
const commit = async (actor: Actor, request: RequestFacts, work: () => Promise<Processor>) => {
  let written: string[] = [];
  const processor = await inTenant(actor.organizationId, work, {
    origin: originOf(request, actor),
    afterCommit: (ids) => (written = ids),
  });
  void dispatchSoon(written);
  return present(processor);
};

export const processorRoutes = routes('/api/organizations/:organization_id/payment-processors', [
  get(
    '/',
    {
      ...list,
      summary: 'List card processors, active and disabled',
      rule: by(processorPolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(ProcessorJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, processorPolicy, 'read');
      const page = await listProcessors({ page: query.page, pageSize: query.page_size });
      return presentPage(page, query, request, present);
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
      await requireConnectable();
      const { secret_key, credentials: settings, ...processor } = body;
      const credentials = credentialsFor(body.provider, secret_key, settings);
      return new AfterCommit(async () => {
        const account = await readKeyAccount(body.provider, credentials);
        return commit(actor, request, () => connectProcessor({ ...processor, credentials }, account));
      });
    },
  ),

  get(
    '/:id/',
    { ...row, summary: 'A card processor', rule: by(processorPolicy, 'read') },
    async ({ actor, params }) => {
      authorize(actor, processorPolicy, 'read');
      return present(await readProcessor(params.id));
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
      const { secret_key: secretKey, credentials: settings, ...rest } = body;
      if ((secretKey ?? settings) === undefined) return present(await rotateProcessor(params.id, rest));
      const previous = await readPreviousKey(params.id, rest);
      const { secret_key: keyBefore, ...settingsBefore } = previous.credentials;
      const credentials = credentialsFor(previous.provider, secretKey ?? keyBefore, { ...settingsBefore, ...settings });
      return new AfterCommit(async () => {
        const account = await requireSameAccount(previous, credentials);
        return commit(actor, request, () => rotateProcessor(params.id, { ...rest, credentials }, account));
      });
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
      const current = await readPreviousKey(params.id, {});
      return new AfterCommit(() => verifyCredentials(current));
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
      return present(await disableProcessor(params.id));
    },
  ),
]);
