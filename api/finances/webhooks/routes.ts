import { z } from 'zod';
import { CredentialsRefused, EventRefused, OutcomeUnknown } from '../../../gateways/payments/port.js';
import { adapterOf, processorNamedIn } from '../../../gateways/payments/processors.js';
import { databaseNow } from '../../../models/database/clock.js';
import { decrypt } from '../../../models/database/encryption.js';
import { asRequestOf } from '../../../models/database/requests.js';
import { refuse } from '../../../models/errors.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { processorAccess } from '../../../models/finances/attempts/processorAccess.js';
import { HANDLED_EVENTS } from '../../../models/finances/webhooks/handledEvents.js';
import { receiveEvent, type WebhookProcessor } from '../../../models/finances/webhooks/receiveEvent.js';
import { dispatchSoon } from '../../http/dispatch.js';
import { post, type RequestFacts, routes } from '../../http/routes.js';
import { webhookUrl } from './address.js';
import { lookUp, processorInAddress, webhookErrors, webhookIntake } from './intake.js';
import { originOf } from '../../http/origin.js';

const RECEIVED = { received: true } as const;

const UUID = z.uuid().toLowerCase();

/** Which processor's secret to check against: the address says so, or the event. Either only selects; the signature proves. */
const processorIdOf = (query: string | undefined, rawBody: Buffer): string | null =>
  UUID.safeParse(query ?? processorNamedIn(rawBody)).data ?? null;

async function verify(processorId: string, processor: WebhookProcessor, rawBody: Buffer, request: RequestFacts) {
  const secrets = (['webhook_secret_encrypted', 'previous_webhook_secret_encrypted'] as const).flatMap((column) => {
    const sealed = processor[column];
    return sealed ? [decrypt(sealed, { table: 'org_payment_processors', column, rowId: processorId })] : [];
  });
  const received = {
    rawBody,
    header: (name: string) => request.raw.get(name),
    url: webhookUrl(processorId),
    receivedAt: databaseNow(),
    credentials: async () =>
      (await inTenant(processor.organization_id, () => processorAccess(processorId), { readOnly: true })).credentials,
  };
  try {
    return await adapterOf(processor.provider).events.read(received, secrets);
  } catch (error) {
    if (error instanceof EventRefused) throw webhookErrors.webhook_refused();
    // Whoever could not be asked, or takes our key no more, may be asked when the event comes again.
    if (error instanceof OutcomeUnknown || error instanceof CredentialsRefused)
      throw refuse.unavailable('The payment provider cannot be asked about this event.', undefined, {
        'Retry-After': '30',
      });
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
      intake: webhookIntake,
    },
    async ({ query, request }) => {
      const rawBody: unknown = request.raw.body;
      if (!Buffer.isBuffer(rawBody)) throw webhookErrors.webhook_refused();
      const processorId = processorIdOf(query.processor, rawBody);
      const processor = processorInAddress(request.raw) ?? (processorId && (await lookUp(processorId)));
      if (!processorId || !processor) throw webhookErrors.webhook_refused();
      const { id, ...event } = await verify(processorId, processor, rawBody, request);
      // Most of what a processor tells means nothing here.
      if (!processor.is_disabled && !HANDLED_EVENTS.has(event.type)) return RECEIVED;
      let written: string[] = [];
      const by = { id: processorId, isDisabled: processor.is_disabled };
      const receive = () =>
        inTenant(processor.organization_id, () => receiveEvent(by, { eventId: id, ...event }), {
          origin: originOf(request),
          afterCommit: (ids) => (written = ids),
        });
      const taken = await asRequestOf(`webhooks:${processor.organization_id}`, receive);
      if (!taken) throw webhookErrors.webhook_refused();
      // Answered at once: the processor waits for the receipt, not for what follows from it.
      void dispatchSoon(written);
      return RECEIVED;
    },
  ),
]);
