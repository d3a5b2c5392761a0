/**
 * Submits an application of a person without an account. The response does not disclose whether the address is known.
 */
import { pipelineAndCommit } from '../../database/preparedQuery.js';
import { currentOrganization, type Statement } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { noticeStatements } from '../../identity/notices/enqueueNotice.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { checkContents } from './checkContents.js';
import type { Contents } from './contents.js';
import { type FormOrganization, lockForm, type Spend } from './publicForm.js';

const CONFIRM_SECONDS = 48 * 60 * 60;

export interface Submitted {
  /** `unconfirmed` if the form requires a confirmed mailbox, otherwise `received`; does not depend on the address. */
  status: 'unconfirmed' | 'received';
  /** Text that the organization shows after submission. */
  confirmation: string | null;
}

/**
 * Submits an application. Each address has one application per period; a later submission is a new version, which
 * counts once its mailbox is confirmed. If the form requires no confirmation, a background process lets the first
 * version of an unknown address count at once. A mail is sent in every case; its link shows the progress of the
 * application. The statements are the same for every address. Commits the transaction, so the request must not write
 * anything afterwards.
 * @param token lets the applicant read the status
 * @param spend counts the application against the rate limits, once everything else is valid
 * @param more statements that are sent in the same round trip
 * @throws Refusal intake_closed, validation_error, gpa_below_minimum, throttled
 */
export async function submitApplication(
  to: FormOrganization,
  contents: Contents,
  { token, spend, more = [] }: { token: string; spend: Spend; more?: Statement[] },
): Promise<Submitted> {
  const form = await lockForm(contents, spend);
  const { email, chapter, sent } = checkContents(form, contents);
  if (!form.takesChapter) throw invalid('chapter', 'This chapter does not accept applications.');
  form.requireBudget();
  const { verify_email, confirmation: confirmationText } = form.config;
  const confirmation = newToken();
  const { first_name, last_name } = sent.person;
  const keys = [currentOrganization(), form.period.id, chapter, email, first_name, last_name];
  const secrets = [hashToken(token), hashToken(confirmation), CONFIRM_SECONDS];
  const values = [...keys, JSON.stringify(sent), verify_email, ...secrets];
  const notice = noticeStatements({
    userId: null,
    kind: 'application_confirmation',
    email,
    facts: { organization: to.name, slug: to.slug },
    // The part before the dot confirms the mailbox; the part after it shows the status of the application.
    secret: `${confirmation}.${token}`,
    expiresInSeconds: CONFIRM_SECONDS,
  });
  await pipelineAndCommit([{ text: WRITE, values }, ...notice.statements, ...more]);
  return { status: verify_email ? 'unconfirmed' : 'received', confirmation: confirmationText };
}

/**
 * SQL that writes the application and its version. Concurrent submissions get version ids in the order in which they
 * are written, so that the later submission replaces the earlier one.
 */
const WRITE = `
  WITH application AS (
    INSERT INTO pnm_applications (organization_id, recruitment_period_id, chapter_id, email, first_name, last_name)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT ON CONSTRAINT pnm_applications_one DO UPDATE SET updated_at = now()
    RETURNING id, xmax = 0 AND NOT $8::boolean AS counts),
  version AS (
    INSERT INTO pnm_application_versions
           (organization_id, application_id, chapter_id, contents, asks_proof, token_hash, confirm_hash, confirm_until, wants, wanted_at)
    SELECT $1, id, $3, $7::jsonb, $8::boolean, $9, $10, now() + $11 * interval '1 second',
           CASE WHEN counts THEN 'counted' END, CASE WHEN counts THEN now() END FROM application
    RETURNING organization_id, id, asks_proof)
  SELECT app.enqueue('settleApplication', 'application/' || id || '/counted',
           jsonb_build_object('organizationId', organization_id, 'versionId', id, 'wants', 'counted'))
    FROM version WHERE NOT asks_proof`;
