/** Uploads and sends the picture of a campaign. */
import type { Actor } from '../../../models/identity/Actor.js';
import { loadRow } from '../../../models/database/model/read.js';
import { Campaign } from '../../../models/foundation/campaigns/Campaign.js';
import { setHeroImage } from '../../../models/foundation/campaigns/heroImage.js';
import { beginFile, type LocatedFile } from '../../../models/organizations/files/storedFiles.js';
import { originOf } from '../../http/origin.js';
import { AfterCommit, Answer, type RequestFacts } from '../../http/routes.js';
import { requireStore, storeUploadAnd } from '../../organizations/files/storeUpload.js';
import { streamFile } from '../../organizations/files/streamFile.js';

/** Caches may show a picture for five minutes after it was replaced. */
const MAX_AGE_SECONDS = 300;

/** Receives a picture, draws it anew, and gives it to the campaign. @throws Refusal as `storeUploadAnd` */
export async function receiveHeroImage(actor: Actor, request: RequestFacts, campaignId: string) {
  await loadRow(Campaign, campaignId);
  await requireStore();
  const upload = { ...(await beginFile('campaign_hero', actor.userId)), purpose: 'campaign_hero' } as const;
  return new AfterCommit(() =>
    storeUploadAnd(request, actor.organizationId, upload, originOf(request, actor), (file) =>
      setHeroImage(campaignId, file.id),
    ),
  );
}

/**
 * Sends a picture, or 304 if the client has it.
 * @param scope `public` if shared caches may keep it
 */
export async function sendHeroImage(
  request: RequestFacts,
  organizationId: string,
  file: LocatedFile,
  scope: 'public' | 'private',
): Promise<Answer<void>> {
  const etag = `"${file.sha256}"`;
  const caching = { ETag: etag, 'Cache-Control': `${scope}, max-age=${MAX_AGE_SECONDS}` };
  const known = (request.raw.get('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return new Answer(undefined, { status: 304, headers: caching });
  const headers = {
    ...caching,
    // Pages of the front end, which may have another origin, show the picture.
    'Cross-Origin-Resource-Policy': scope === 'public' ? 'cross-origin' : 'same-site',
    'Content-Type': file.media_type,
    'Content-Length': String(file.size_bytes),
  };
  return new Answer(undefined, { headers, stream: await streamFile(organizationId, file) });
}
