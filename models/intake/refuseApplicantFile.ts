import { currentOrganization, rows } from '../database/rows.js';
import { writeNotice } from '../identity/notices/enqueueNotice.js';
import { refuseLetter } from './reference-letters/refuseLetter.js';

/** Handles an infected file of an applicant or of a letter: records that an attachment was refused, or requests the reference letter again. */
export async function refuseApplicantFile(fileId: string): Promise<void> {
  const refused = await rows<{ email: string; organization: string }>(
    `WITH refused AS (
       UPDATE pnm_attachments SET file_id = NULL, refused_at = now()
        WHERE organization_id = $1 AND file_id = $2 RETURNING application_id)
     SELECT a.email, o.name AS organization FROM refused
       JOIN pnm_applications a ON a.organization_id = $1 AND a.id = refused.application_id
       JOIN organizations o ON o.id = $1`,
    [currentOrganization(), fileId],
  );
  // Applicants are mailed only about files of an application. A draft needs no mail, because its page shows the
  // refusal.
  for (const { email, ...facts } of refused)
    await writeNotice({ userId: null, kind: 'application_file_refused', email, facts });
  await refuseLetter(fileId);
}
