import { inTenant } from '../../models/database/tenancy.js';
import { applyEvent } from '../../models/finances/webhooks/applyEvent.js';
import type { ApplyProcessorEventInput } from '../../workflows/contracts/applyProcessorEvent.js';
import { heartbeating } from '../heartbeating.js';

/** Applies a stored event; running it again finds it applied. */
export const applyStoredEvent = ({ organizationId, webhookEventId }: ApplyProcessorEventInput): Promise<void> =>
  heartbeating(() => inTenant(organizationId, () => applyEvent(webhookEventId)));
