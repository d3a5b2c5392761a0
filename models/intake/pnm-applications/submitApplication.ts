/** Somebody without an account sends an application. Whose address it is, nobody learns from the answer. */
import { lastRowsOf } from '../../database/keptRows.js';
import { currentOrganization, type Statement } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { noticing } from '../../identity/notices/noticePerson.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { checkContents } from './checkContents.js';
import type { Contents } from './contents.js';
import { type ApplyingTo, holdForm, type Spend } from './publicForm.js';

const CONFIRM_SECONDS = 48 * 60 * 60;

export interface Submitted {
  /** As everybody is told, whatever the address is. */
  status: 'unconfirmed' | 'received';
  /** What the organization says to whoever has sent one. */
  confirmation: string | null;
}

/**
 * One application is kept for an address and period; what is sent later is another version of it, which counts once its own
 * mail has been answered. Where the organization wants no proof, a process finds out whether nobody has the address: then the first
 * one counts at once. Its mail goes out all the same, and opens to whoever reads it how the application goes on. Until then
 * every address is the same messages to the database. Commits: nothing comes after it in its request.
 * @param token shows the applicant how it stands
 * @param spend counts the application, if everything else is right
 * @param more what is written in the same message
 * @throws Refusal intake_closed, validation_error, gpa_below_minimum, throttled
 */
export async function submitApplication(
  to: ApplyingTo,
  contents: Contents,
  { token, spend, more = [] }: { token: string; spend: Spend; more?: Statement[] },
): Promise<Submitted> {
  const form = await holdForm(contents, spend);
  const { email, chapter, sent } = checkContents(form, contents);
  if (!form.takesChapter) throw invalid('chapter', 'Nobody can apply to this chapter.');
  form.requireLeft();
  const { verify_email, confirmation: says } = form.config;
  const confirmation = newToken();
  const { first_name, last_name } = sent.person;
  const place = [currentOrganization(), form.period.id, chapter, email, first_name, last_name];
  const secrets = [hashToken(token), hashToken(confirmation), CONFIRM_SECONDS];
  const values = [...place, JSON.stringify(sent), verify_email, ...secrets];
  const notice = noticing({
    userId: null,
    kind: 'application_confirmation',
    email,
    facts: { organization: to.name, slug: to.slug },
    // With the second they see how it stands.
    secret: `${confirmation}.${token}`,
    expiresInSeconds: CONFIRM_SECONDS,
  });
  await lastRowsOf([{ text: WRITE, values }, ...notice.statements, ...more]);
  return { status: verify_email ? 'unconfirmed' : 'received', confirmation: says };
}

/** Of two at once the ids are in the order in which they are written: what comes later replaces what was there. */
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
