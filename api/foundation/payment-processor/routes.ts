import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import {
  changeFoundationProcessor,
  findLatestFoundationProcessor,
  type FoundationProcessor,
  putFoundationProcessor,
  readFoundationProcessor,
  removeFoundationProcessor,
  withFoundationSettings,
} from '../../../models/foundation/config/paymentProcessor.js';
import { connectAfterCommit, presentProcessor, rotate, verify } from '../../finances/payment-processors/changes.js';
import { ProcessorRotate, ProcessorVerification } from '../../finances/payment-processors/schema.js';
import { authorize, by, foundationAdmin, policy } from '../../http/policy.js';
import { Answer, del, get, patch, post, put, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';
import { FoundationProcessorEdit, FoundationProcessorJson, FoundationProcessorPut } from './schema.js';

const processorPolicy = policy('foundation payment processor', { read: [foundationAdmin], write: [foundationAdmin] });

const shared = { ...foundation, response: FoundationProcessorJson };
const writes = { ...shared, rule: by(processorPolicy, 'write'), stepUp: 'tenant' } as const;

const present = (processor: FoundationProcessor) => ({
  ...presentProcessor(processor),
  fee_pass_through: processor.fee_pass_through,
});

export const foundationProcessorRoutes = routes('/api/foundation/payment-processor', [
  get(
    '/',
    {
      ...shared,
      operationId: 'getFoundationPaymentProcessor',
      summary: 'Get the account that takes the gifts',
      rule: by(processorPolicy, 'read'),
      errors: [refuse.not_found],
    },
    async ({ actor }) => {
      authorize(actor, processorPolicy, 'read');
      return present(await readFoundationProcessor());
    },
  ),

  put(
    '/',
    {
      ...writes,
      operationId: 'replaceFoundationPaymentProcessor',
      summary: 'Connect the account that takes the gifts',
      description:
        'The provider is asked which account the key belongs to. An account that was connected before is disabled: it ' +
        'takes no new gifts, and its pending payments continue. While pledges live, the key must belong to the same account, ' +
        'which keeps their cards. `fee_pass_through` stays if it is left out. The other ' +
        'admins of the foundation are notified by mail.',
      body: FoundationProcessorPut,
      alsoStatus: [201],
      errors: [
        financesErrors.webhook_secret_in_use,
        financesErrors.processor_already_active,
        foundationErrors.pledges_depend_on_processor,
        refuse.unavailable,
      ],
    },
    async ({ actor, body, request }) => {
      authorize(actor, processorPolicy, 'write');
      const { fee_pass_through: feePassThrough, ...account } = body;
      return connectAfterCommit(
        { actor, request },
        { ...account, purpose: 'foundation' },
        async (processor, identity) => {
          const { isFirst, processor: connected } = await putFoundationProcessor(processor, identity, feePassThrough);
          return new Answer(present(connected), { status: isFirst ? 201 : 200 });
        },
      );
    },
  ),

  patch(
    '/',
    {
      ...writes,
      operationId: 'updateFoundationPaymentProcessor',
      summary: 'Change whether donors may cover the fee',
      body: FoundationProcessorEdit,
      errors: [refuse.not_found],
    },
    async ({ actor, body }) => {
      authorize(actor, processorPolicy, 'write');
      return present(await changeFoundationProcessor(body));
    },
  ),

  del(
    '/',
    {
      ...foundation,
      operationId: 'removeFoundationPaymentProcessor',
      summary: 'Remove the account that takes the gifts',
      description:
        'Refused while pledges are charged through it. It takes no new gifts. Pending payments and refunds continue, and its secrets can still be replaced. The other ' +
        'admins of the foundation are notified by mail.',
      rule: by(processorPolicy, 'write'),
      stepUp: 'tenant',
      errors: [refuse.not_found, foundationErrors.pledges_depend_on_processor],
    },
    async ({ actor }) => {
      authorize(actor, processorPolicy, 'write');
      await removeFoundationProcessor();
    },
  ),

  post(
    '/rotate/',
    {
      ...writes,
      operationId: 'rotateFoundationPaymentProcessor',
      summary: 'Replace the secrets of the account that takes the gifts',
      description:
        'A new key must belong to the same account as the previous one. If the account was removed, this concerns the one ' +
        'that was removed last, which stays disabled. The other admins of the foundation are notified by mail.',
      body: ProcessorRotate,
      errors: [
        refuse.not_found,
        financesErrors.processor_other_account,
        financesErrors.webhook_secret_in_use,
        refuse.stale_version,
        refuse.unavailable,
      ],
    },
    async ({ actor, body, request }) => {
      authorize(actor, processorPolicy, 'write');
      const id = await findLatestFoundationProcessor();
      return rotate({ actor, request }, id, body, 'foundation', async (processor) =>
        present(await withFoundationSettings(processor)),
      );
    },
  ),

  post(
    '/verify/',
    {
      ...foundation,
      operationId: 'verifyFoundationPaymentProcessor',
      summary: 'Verify the credentials of the account with its provider',
      description: 'Reads the account; nothing changes, here or at the provider.',
      rule: by(processorPolicy, 'write'),
      response: ProcessorVerification,
      errors: [refuse.not_found, refuse.unavailable],
    },
    async ({ actor }) => {
      authorize(actor, processorPolicy, 'write');
      return verify(await findLatestFoundationProcessor(), 'foundation');
    },
  ),
]);
