/**
 * Planted fault: a push is recorded only after the gateway's answer. A worker that dies before the answer has sent a
 * push without a record.
 */
import { currentOrganization, rows } from '../../../models/database/rows.js';
import * as attempts from '../../../models/notifications/push/attempts.js';
import { replace } from './replace.js';

const { claimAttempts, concludeAttempts } = attempts;

replace(attempts, {
  claimAttempts: async (...args: Parameters<typeof claimAttempts>) => {
    await rows('SAVEPOINT before_claims');
    const claimed = await claimAttempts(...args);
    await rows('ROLLBACK TO SAVEPOINT before_claims');
    return claimed;
  },
  concludeAttempts: async (concluded: Parameters<typeof concludeAttempts>[0]) => {
    for (const { attempt } of concluded)
      await rows(
        `INSERT INTO push_delivery_records (id, organization_id, notification_id, token_id, platform, environment, attempt)
         SELECT $1, $2, $3, id, platform, $5, $6 FROM push_tokens WHERE id = $4 ON CONFLICT DO NOTHING`,
        [
          attempt.id,
          currentOrganization(),
          attempt.notificationId,
          attempt.tokenId,
          attempt.environment,
          attempt.attempt,
        ],
      );
    await concludeAttempts(concluded);
  },
});
