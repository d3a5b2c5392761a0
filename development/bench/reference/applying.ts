/**
 * Inserts the rows of an application without any checks: four inserts in one transaction. The reference for the
 * product's application form.
 */
import type { Kysely } from 'kysely';
import { uuidv7 } from '../../../models/database/uuid.js';
import { hashToken, newToken } from '../../../models/identity/secretTokens.js';
import { encryptNoticeSecret } from '../../../models/identity/notices/enqueueNotice.js';
import type { Tables } from './tables.js';

export interface ApplicationBody {
  chapter: string;
  email: string;
  first_name: string;
  last_name: string;
  [field: string]: unknown;
}

const DAY_MS = 86_400_000;

export const insertApplication = (db: Kysely<Tables>, organization: string, period: string, applied: ApplicationBody) =>
  db.transaction().execute(async (transaction) => {
    const { chapter, email, first_name, last_name, ...fields } = applied;
    const [application, notice, token, confirmation] = [uuidv7(), uuidv7(), newToken(), newToken()];
    const place = { organization_id: organization, chapter_id: chapter };
    const until = new Date(Date.now() + 2 * DAY_MS);
    await transaction
      .insertInto('pnm_applications')
      .values({ id: application, ...place, recruitment_period_id: period, email, first_name, last_name })
      .execute();
    await transaction
      .insertInto('pnm_application_versions')
      .values({
        ...place,
        application_id: application,
        contents: JSON.stringify({ person: { first_name, last_name }, fields, answers: [], consents: [] }),
        token_hash: hashToken(token),
        confirm_hash: hashToken(confirmation),
        confirm_until: until,
      })
      .execute();
    await transaction
      .insertInto('account_notices')
      .values({
        id: notice,
        kind: 'application_confirmation',
        email,
        facts: '{}',
        secret_encrypted: encryptNoticeSecret(`${confirmation}.${token}`, notice),
        expires_at: until,
      })
      .execute();
    await transaction
      .insertInto('outbox')
      .values({
        process: 'sendAccountNotice',
        workflow_id: `account-notice/${notice}`,
        input: JSON.stringify({ noticeId: notice, organizationId: null }),
        // This outbox row is marked as dispatched already, so that the relay ignores it.
        dispatched_at: new Date(),
      })
      .execute();
    return { token, status: 'unconfirmed' };
  });
