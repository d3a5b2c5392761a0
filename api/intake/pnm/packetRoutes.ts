import { found } from '../../../models/errors.js';
import { attachedFile } from '../../../models/intake/pnm-applications/attachments.js';
import { readApplicationOf } from '../../../models/intake/pnm-applications/readApplications.js';
import { readStages } from '../../../models/intake/pnm/readStages.js';
import { notePacket, readProspect } from '../../../models/intake/pnm/readProspects.js';
import { lettersAbout } from '../../../models/intake/reference-letters/decideOnLetter.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { locateFile } from '../../../models/organizations/files/storedFiles.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { AfterCommit, Answer, get } from '../../http/routes.js';
import { applicationPages, letterPages } from './applicationPages.js';
import { packet, type Packed, requireFiles } from './packet.js';
import { pnmPolicy } from './policy.js';

const HEADERS = {
  'Content-Type': 'application/zip',
  'Content-Disposition': 'attachment; filename="packet.zip"',
  'Cache-Control': 'no-store',
};

const letterName = (n: number): string => `letter-${n + 1}`;

export const packetRoutes = [
  get(
    '/api/pnm/:id/packet.zip/',
    {
      access: 'tenant',
      tags: ['intake'],
      rule: by(pnmPolicy, 'read'),
      summary: 'What a prospective member has sent, in one archive',
      description:
        'The application, with the stages it came to, and the letters about it as PDF, and its files, but for those that are being checked. Demographics and the notes of officers are not in it. That it was read is noted. An archive that ends amid a file is not whole.',
      operationId: 'getProspectPacket',
      params: RowParams,
      status: 200,
      textResponse: 'application/zip',
      writes: true,
      errors: [fileErrors.storage_unavailable],
    },
    async ({ actor, params: { id } }) => {
      const prospect = found(await readProspect(id));
      authorize(actor, pnmPolicy, 'read', { chapter_id: prospect.chapter });
      const sent = await readApplicationOf(id);
      const files: Packed[] = [];
      const readable = sent?.attachments.filter(({ is_being_checked }) => !is_being_checked) ?? [];
      for (const { id: attachment, kind } of readable)
        files.push({ kind, file: found(await locateFile(await attachedFile(id, attachment))) });
      const stages = await readStages(id);
      const letters = await lettersAbout(id);
      for (const [n, { file_id, is_being_checked }] of letters.entries())
        if (file_id !== null && !is_being_checked)
          files.push({ kind: letterName(n), file: found(await locateFile(file_id)) });
      await notePacket(prospect);
      return new AfterCommit(async () => {
        await requireFiles(actor.organizationId, files);
        const documents = [{ name: 'application.pdf', bytes: await applicationPages(prospect, stages, sent) }];
        for (const [n, letter] of letters.entries())
          if (letter.text !== null)
            documents.push({ name: `${letterName(n)}.pdf`, bytes: await letterPages(prospect, letter, letter.text) });
        return new Answer(undefined, { headers: HEADERS, stream: packet(actor.organizationId, documents, files) });
      });
    },
  ),
];
