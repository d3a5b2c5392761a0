/** Somebody without an account sends an application. Whose address it is, nobody learns from the answer. */
import { createRow, inSeconds } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { writeNotice } from '../../identity/notices/noticePerson.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { isActiveChapter } from '../../organizations/chapters.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { checkContents } from './checkContents.js';
import type { Contents } from './contents.js';
import { type ApplyingTo, holdForm } from './publicForm.js';
import { takeVersion } from './takeVersion.js';

const CONFIRM_SECONDS = 48 * 60 * 60;

export interface Submitted {
  versionId: string;
  /** As everybody is told, whatever the address is. */
  status: 'unconfirmed' | 'received';
  /** What the organization says to whoever has sent one. */
  confirmation: string | null;
}

/**
 * One application is kept for an address and period; what is sent later is another version of it, which counts once its own
 * mail has been answered. Where the organization wants no proof, the first one of an unknown address counts at once; its mail goes
 * out all the same, and opens to whoever reads it how the application goes on.
 * @param token shows the applicant how it stands
 * @param spend counts the address, once everything else is right
 * @throws Refusal intake_closed, validation_error, gpa_below_minimum; what `spend` throws
 */
export async function submitApplication(
  to: ApplyingTo,
  contents: Contents,
  { token, spend }: { token: string; spend: (email: string) => Promise<void> },
): Promise<Submitted> {
  const form = await holdForm();
  const { email, chapter, sent } = checkContents(form, contents);
  if (!(await isActiveChapter(chapter))) throw invalid('chapter', 'Nobody can apply to this chapter.');
  await spend(email);
  const { id, is_new } = await oneRow<{ id: string; is_new: boolean }>(
    `INSERT INTO pnm_applications (organization_id, recruitment_period_id, chapter_id, email, first_name, last_name)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT pnm_applications_one DO UPDATE SET updated_at = now()
     RETURNING id, xmax = 0 AS is_new`,
    [currentOrganization(), form.period.id, chapter, email, sent.person.first_name, sent.person.last_name],
  );
  const { verify_email } = form.config;
  const waits = verify_email || !is_new || (await isKnownAnywhere(email));
  const confirmation = newToken();
  const version = await createRow(ApplicationVersion, {
    application_id: id,
    chapter_id: chapter,
    contents: sent,
    asks_proof: verify_email,
    token_hash: hashToken(token),
    confirm_hash: hashToken(confirmation),
    confirm_until: inSeconds(CONFIRM_SECONDS),
  });
  await writeNotice({
    userId: null,
    kind: 'application_confirmation',
    email,
    facts: { organization: to.name, slug: to.slug },
    // With the second they see how it stands.
    secret: `${confirmation}.${token}`,
    expiresInSeconds: CONFIRM_SECONDS,
  });
  if (!waits) await takeVersion(version, { isProven: false });
  return {
    versionId: version.id,
    status: verify_email ? 'unconfirmed' : 'received',
    confirmation: form.config.confirmation,
  };
}

/** To whoever asks, this is no answer: the mail alone tells. */
const isKnownAnywhere = async (email: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM users WHERE id = ${USER_ID_BY_EMAIL} UNION ALL SELECT FROM users WHERE typed_email = $1 AND placeholder_in = $2`,
    [email, currentOrganization()],
  )) !== null;
