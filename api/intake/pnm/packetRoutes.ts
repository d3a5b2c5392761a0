import { requireFound } from '../../../models/errors.js';
import { readAttachedFile } from '../../../models/intake/pnm-applications/attachments.js';
import { readApplicationOf } from '../../../models/intake/pnm-applications/readApplications.js';
import { readStages } from '../../../models/intake/pnm/readStages.js';
import { auditPacketRead, readProspect } from '../../../models/intake/pnm/readProspects.js';
import { listReceivedLetters } from '../../../models/intake/reference-letters/decideOnLetter.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { locateFile } from '../../../models/organizations/files/storedFiles.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { AfterCommit, Answer, get } from '../../http/routes.js';
import { renderApplication, renderLetter } from './packetDocuments.js';
import { streamPacket, type PacketFile, requireFiles } from './packet.js';
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
      summary: 'Documents about a prospective member, in one archive',
      description:
        'The application with its stages and the letters as PDF, and the files except those still being checked. Demographics and the notes of officers are not included. The download is recorded in the audit log. An archive that ends in the middle of a file is incomplete.',
      operationId: 'getProspectPacket',
      params: RowParams,
      status: 200,
      textResponse: 'application/zip',
      writes: true,
      errors: [fileErrors.storage_unavailable],
    },
    async ({ actor, params: { id } }) => {
      const prospect = requireFound(await readProspect(id));
      authorize(actor, pnmPolicy, 'read', { chapter_id: prospect.chapter });
      const sent = await readApplicationOf(id);
      const files: PacketFile[] = [];
      const readable = sent?.attachments.filter(({ is_being_checked }) => !is_being_checked) ?? [];
      for (const { id: attachment, kind } of readable)
        files.push({ kind, file: requireFound(await locateFile(await readAttachedFile(id, attachment))) });
      const stages = await readStages(id);
      const letters = await listReceivedLetters(id);
      for (const [n, { file_id, is_being_checked }] of letters.entries())
        if (file_id !== null && !is_being_checked)
          files.push({ kind: letterName(n), file: requireFound(await locateFile(file_id)) });
      await auditPacketRead(prospect);
      return new AfterCommit(async () => {
        await requireFiles(actor.organizationId, files);
        const documents = [{ name: 'application.pdf', bytes: await renderApplication(prospect, stages, sent) }];
        for (const [n, letter] of letters.entries())
          if (letter.text !== null)
            documents.push({ name: `${letterName(n)}.pdf`, bytes: await renderLetter(prospect, letter, letter.text) });
        return new Answer(undefined, {
          headers: HEADERS,
          stream: streamPacket(actor.organizationId, documents, files),
        });
      });
    },
  ),
];
