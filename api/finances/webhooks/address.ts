import { config } from '../../../config.js';

/** Returns the address to which a processor sends its events; some providers include it in the signature. */
export const webhookUrl = (processorId: string): string =>
  `${config.backendUrl}/api/finances/webhooks/processor/?processor=${processorId}`;
