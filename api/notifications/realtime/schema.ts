import { z } from 'zod';
import { recordId } from '../../../models/fields.js';

export const RealtimeQuery = z.object({
  since: recordId.optional().meta({
    description: 'Id of the newest notification that the client has: later ones are sent first.',
  }),
});

/** A message of a client. */
export const ClientMessage = z.strictObject({
  type: z.enum(['subscribe', 'unsubscribe']),
  topic: z.string().regex(/^[a-z_]{1,50}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
});
