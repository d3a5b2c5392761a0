/** Whose events are read: anybody can send to this address, and only who has a processor's secret has something to say. */
import type { Request } from 'express';
import { z } from 'zod';
import { asRequestOf } from '../../../models/database/requests.js';
import { Shares } from '../../../models/database/shares.js';
import { inPlatform } from '../../../models/database/tenancy.js';
import { defineErrors } from '../../../models/errors.js';
import { type WebhookProcessor, webhookProcessor } from '../../../models/finances/webhooks/receiveEvent.js';
import { parseQuery } from '../../http/body.js';
import type { Intake } from '../../http/intake.js';

export const webhookErrors = defineErrors({
  webhook_refused: [400, 'The event was not signed by a processor that we know.'],
});

const PROCESSOR = Symbol('processor');
const UUID = z.uuid();

/** Events of all processors, and of one, that are read and kept at the same time. */
const bodies = new Shares({ places: 32, share: 8, reserve: 4, mostWaiting: 64, waitMs: 5_000 });

/** A processor's event is some kilobytes. */
const MOST_BYTES = 256 * 1024;

export const webhookIntake: Intake = {
  mostBytes: MOST_BYTES,
  seconds: 10,
  async admit(request: Request & { [PROCESSOR]?: WebhookProcessor }) {
    const named = parseQuery(request.originalUrl)['processor'];
    // Which one it is then stands in the event: all of these together have the room of one processor.
    if (named === undefined) return bodies.take('unnamed');
    const id = UUID.safeParse(named).data;
    const processor = id === undefined ? null : await lookUp(id);
    if (id === undefined || !processor) throw webhookErrors.webhook_refused();
    request[PROCESSOR] = processor;
    return bodies.take(id.toLowerCase());
  },
};

/** The processor that the address named, which was looked up before its event was read. */
export const processorInAddress = (request: Request & { [PROCESSOR]?: WebhookProcessor }): WebhookProcessor | null =>
  request[PROCESSOR] ?? null;

/**
 * The processor that has this id, whichever tenant it belongs to. Look-ups have a share of their own: who sends to made-up
 * addresses keeps nobody from signing in.
 */
export const lookUp = (id: string): Promise<WebhookProcessor | null> =>
  asRequestOf('webhooks', () => inPlatform(() => webhookProcessor(id), { readOnly: true }));
