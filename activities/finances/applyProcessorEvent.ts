import { inTenant } from '../../models/database/tenancy.js';
import { applyEvent } from '../../models/finances/webhooks/applyEvent.js';
import type { ApplyProcessorEventInput } from '../../workflows/contracts/applyProcessorEvent.js';

/** Applies a stored event; running it again finds it applied. */
export const applyStoredEvent = ({ organizationId, webhookEventId }: ApplyProcessorEventInput): Promise<void> =>
  inTenant(organizationId, () => applyEvent(webhookEventId));
