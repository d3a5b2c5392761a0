/**
 * Planted bug: the platform asks the gateway to charge before it has committed the charge's id. Until the capture, the
 * id is only in memory. A worker that dies before the capture loses the id, and the next try creates another charge.
 */
import * as steps from '../../../activities/finances/payRemittance.js';
import { inTenant } from '../../../models/database/tenancy.js';
import * as attempts from '../../../models/finances/attempts/attempt.js';
import type { PayRemittanceInput } from '../../../workflows/contracts/payRemittance.js';
import { replace } from './replace.js';

const { openCharge, confirmCharge } = steps;
const { loadAttempt, recordIntent: rememberIntent } = attempts;
const inMemory = new Map<string, string>();

replace(attempts, {
  recordIntent: async (attemptId: string, intentId: string) => void inMemory.set(attemptId, intentId),
  loadAttempt: async (attemptId: string) => {
    const attempt = await loadAttempt(attemptId);
    return { ...attempt, intentId: attempt.intentId ?? inMemory.get(attemptId) ?? null };
  },
});

replace(steps, {
  openCharge: async () => 'opened',
  confirmCharge: async (input: PayRemittanceInput) => {
    const opened = await openCharge(input);
    if (opened !== 'opened') return opened;
    const outcome = await confirmCharge(input);
    const intentId = inMemory.get(input.attemptId);
    if (intentId) await inTenant(input.organizationId, () => rememberIntent(input.attemptId, intentId));
    return outcome;
  },
});
