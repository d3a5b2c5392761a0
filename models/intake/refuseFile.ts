import { currentOrganization, rows } from '../database/rows.js';
import { writeNotice } from '../identity/notices/noticePerson.js';
import { refuseLetter } from './reference-letters/refuseLetter.js';

/** A file is infected: of an attachment it stays that it was refused, and a letter is asked for again. */
export async function refuseFile(fileId: string): Promise<void> {
  const refused = await rows<{ email: string; organization: string }>(
    `WITH refused AS (
       UPDATE pnm_attachments SET file_id = NULL, refused_at = now()
        WHERE organization_id = $1 AND file_id = $2 RETURNING application_id)
     SELECT a.email, o.name AS organization FROM refused
       JOIN pnm_applications a ON a.organization_id = $1 AND a.id = refused.application_id
       JOIN organizations o ON o.id = $1`,
    [currentOrganization(), fileId],
  );
  // Of a draft whoever has its address is told there.
  for (const { email, ...facts } of refused)
    await writeNotice({ userId: null, kind: 'application_file_refused', email, facts });
  await refuseLetter(fileId);
}
