import { createAttachment, requireUploader } from '../../../models/forums/attachments/changeAttachments.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { WRITING_ERRORS } from '../../../models/forums/writeText.js';
import { refuse } from '../../../models/errors.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { UPLOAD_RULES } from '../../../models/organizations/files/purposes.js';
import { beginUpload } from '../../../models/organizations/files/storedFiles.js';
import { originOf } from '../../http/origin.js';
import { authorize, by, forumReader, policy } from '../../http/policy.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { UploadForm } from '../../organizations/files/schema.js';
import { requireStore, storeReceived } from '../../organizations/files/storeUpload.js';
import { ForumParams, forums } from '../fields.js';
import { AttachmentJson } from '../textSchema.js';
import { typeOfAttachment } from './attachmentTypes.js';
import { inspectAttachment } from './inspectAttachment.js';

const attachmentPolicy = policy('forum attachment', {
  /** Readers who become members by their first text upload for it; other readers are refused as when they write. */
  upload: [forumReader],
});

const { attachment_type } = forumErrors;
const { storage_unavailable, too_many_files } = fileErrors;
const errors = [...WRITING_ERRORS, attachment_type, too_many_files, storage_unavailable, refuse.body_too_large];

export const forumAttachmentRoutes = routes('/api/forums/:forum_id/attachments', [
  post(
    '/',
    {
      ...forums,
      summary: 'Upload a file for a post or comment',
      description:
        'Name its id in `attachments` of one text within a day. Images (png, jpeg, webp) have at most 10 MB and are drawn anew; documents (pdf, docx, xlsx, pptx, txt, csv) have at most 20 MB. At most 100 files a day.',
      operationId: 'uploadForumAttachment',
      rule: by(attachmentPolicy, 'upload'),
      params: ForumParams,
      upload: UploadForm,
      response: AttachmentJson,
      status: 201,
      errors,
    },
    async ({ actor, params, request }) => {
      const { userId, organizationId } = actor;
      authorize(actor, attachmentPolicy, 'upload', await requireUploader(params.forum_id, userId));
      await requireStore();
      const origin = originOf(request, actor);
      return new AfterCommit(() =>
        storeReceived(request, organizationId, origin, {
          maxBytes: UPLOAD_RULES.forum_document.maxBytes,
          begun: (file) => {
            const { purpose } = typeOfAttachment(file);
            return inTenant(organizationId, () => beginUpload(purpose, userId), { origin });
          },
          inspect: (file) => inspectAttachment(file.bytes, typeOfAttachment(file), organizationId),
          complete: (file) => createAttachment(params.forum_id, userId, file),
        }),
      );
    },
  ),
]);
