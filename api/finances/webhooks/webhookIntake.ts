/**
 * Limits for incoming webhook events. Anyone can send to this address; only a sender with a processor's secret is
 * accepted.
 */
import type { Request } from 'express';
import { z } from 'zod';
import { withRequestLimits } from '../../../models/database/connectionQuota.js';
import { FairSemaphore } from '../../../models/database/fairSemaphore.js';
import { inPlatform } from '../../../models/database/tenancy.js';
import { defineErrors } from '../../../models/errors.js';
import { type WebhookProcessor, findWebhookProcessor } from '../../../models/finances/webhooks/receiveEvent.js';
import { parseQuery } from '../../http/body.js';
import type { BodyBounds } from '../../http/boundedBody.js';

export const webhookErrors = defineErrors({
  webhook_refused: [
    400,
    'This webhook event is refused: its payment processor is unknown, or its signature is not valid.',
  ],
});

const PROCESSOR = Symbol('processor');
const UUID = z.uuid();

/** Limits the events that are read at the same time, in all and for each processor. */
const bodies = new FairSemaphore({ slots: 32, maxPerTenant: 8, reserve: 4, maxQueued: 64, waitMs: 5_000 });

/** Maximum size of an event. Events of processors normally have a few kilobytes. */
const MAX_BYTES = 256 * 1024;

export const webhookIntake: BodyBounds = {
  maxBytes: MAX_BYTES,
  seconds: 10,
  async admit(request: Request & { [PROCESSOR]?: WebhookProcessor }) {
    const requestedId = parseQuery(request.originalUrl)['processor'];
    // Without a processor in the address, the event itself names its processor. All such events share the quota of one
    // processor.
    if (requestedId === undefined) return bodies.acquire('unnamed');
    const id = UUID.safeParse(requestedId).data;
    const processor = id === undefined ? null : await readProcessor(id);
    if (id === undefined || !processor) throw webhookErrors.webhook_refused();
    request[PROCESSOR] = processor;
    return bodies.acquire(id.toLowerCase());
  },
};

/** Returns the processor that the address names. It was looked up before the body of the event was read. */
export const processorInAddress = (request: Request & { [PROCESSOR]?: WebhookProcessor }): WebhookProcessor | null =>
  request[PROCESSOR] ?? null;

/**
 * Reads the processor with this id, in any tenant. These reads have a connection quota of their own, so that requests
 * to invented addresses keep no one from signing in.
 */
export const readProcessor = (id: string): Promise<WebhookProcessor | null> =>
  withRequestLimits('webhooks', () => inPlatform(() => findWebhookProcessor(id), { readOnly: true }));
