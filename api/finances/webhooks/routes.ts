import { z } from 'zod';
import { CredentialsRefused, EventRefused, OutcomeUnknown } from '../../../gateways/payments/port.js';
import { adapterOf, processorNamedIn } from '../../../gateways/payments/processors.js';
import { databaseNow } from '../../../models/database/clock.js';
import { decrypt } from '../../../models/database/encryption.js';
import { withRequestLimits } from '../../../models/database/connectionQuota.js';
import { refuse } from '../../../models/errors.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { loadProcessorAccess } from '../../../models/finances/attempts/processorAccess.js';
import { HANDLED_EVENTS } from '../../../models/finances/webhooks/handledEvents.js';
import { receiveEvent, type WebhookProcessor } from '../../../models/finances/webhooks/receiveEvent.js';
import { dispatchSoon } from '../../http/dispatch.js';
import { post, type RequestFacts, routes } from '../../http/routes.js';
import { webhookUrl } from './address.js';
import { readProcessor, processorInAddress, webhookErrors, webhookIntake } from './webhookIntake.js';
import { originOf } from '../../http/origin.js';

const RECEIVED = { received: true } as const;

const UUID = z.uuid().toLowerCase();

/**
 * Returns the id of the processor whose secret verifies the event, from the address or from the event. The id only
 * selects a secret; the signature proves the sender.
 */
const processorIdOf = (query: string | undefined, rawBody: Buffer): string | null =>
  UUID.safeParse(query ?? processorNamedIn(rawBody)).data ?? null;

async function verify(processorId: string, processor: WebhookProcessor, rawBody: Buffer, request: RequestFacts) {
  const secrets = (['webhook_secret_encrypted', 'previous_webhook_secret_encrypted'] as const).flatMap((column) => {
    const encrypted = processor[column];
    return encrypted ? [decrypt(encrypted, { table: 'org_payment_processors', column, rowId: processorId })] : [];
  });
  const received = {
    rawBody,
    header: (name: string) => request.raw.get(name),
    url: webhookUrl(processorId),
    receivedAt: databaseNow(),
    credentials: async () =>
      (await inTenant(processor.organization_id, () => loadProcessorAccess(processorId), { readOnly: true }))
        .credentials,
  };
  try {
    return await adapterOf(processor.provider).events.read(received, secrets);
  } catch (error) {
    if (error instanceof EventRefused) throw webhookErrors.webhook_refused();
    // If the provider does not answer or no longer accepts our key, the event is refused, so that it is sent again.
    if (error instanceof OutcomeUnknown || error instanceof CredentialsRefused)
      throw refuse.unavailable(
        'This event cannot be verified with the payment provider at the moment. Send it again later.',
        undefined,
        {
          'Retry-After': '30',
        },
      );
    throw error;
  }
}

export const webhookRoutes = routes('/api/finances/webhooks/processor', [
  post(
    '/',
    {
      operationId: 'receiveProcessorEvent',
      summary: 'Receive a signed event of a payment processor',
      access: 'public',
      tags: ['finances'],
      query: z.object({
        processor: z.string().optional().meta({ description: 'Id of the processor whose secret signs the event.' }),
      }),
      response: z.object({ received: z.literal(true) }).meta({ id: 'WebhookReceipt' }),
      errors: [webhookErrors.webhook_refused, refuse.unavailable],
      throttle: [],
      rawBody: true,
      bodyBounds: webhookIntake,
    },
    async ({ query, request }) => {
      const rawBody: unknown = request.raw.body;
      if (!Buffer.isBuffer(rawBody)) throw webhookErrors.webhook_refused();
      const processorId = processorIdOf(query.processor, rawBody);
      const processor = processorInAddress(request.raw) ?? (processorId && (await readProcessor(processorId)));
      if (!processorId || !processor) throw webhookErrors.webhook_refused();
      const { id, ...event } = await verify(processorId, processor, rawBody, request);
      // Most event types of a processor are not handled. They are acknowledged and not stored.
      if (!processor.is_disabled && !HANDLED_EVENTS.has(event.type)) return RECEIVED;
      let written: string[] = [];
      const by = { id: processorId, isDisabled: processor.is_disabled };
      const receive = () =>
        inTenant(processor.organization_id, () => receiveEvent(by, { eventId: id, ...event }), {
          origin: originOf(request),
          afterCommit: (ids) => (written = ids),
        });
      const isAccepted = await withRequestLimits(`webhooks:${processor.organization_id}`, receive);
      if (!isAccepted) throw webhookErrors.webhook_refused();
      // Answers at once: the processor waits for the receipt, not for the work that follows.
      void dispatchSoon(written);
      return RECEIVED;
    },
  ),
]);
