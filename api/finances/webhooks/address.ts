import { config } from '../../../config.js';

/** Where a processor's events are to be sent; some providers sign it with them. */
export const webhookUrl = (processorId: string): string =>
  `${config.backendUrl}/api/finances/webhooks/processor/?processor=${processorId}`;
