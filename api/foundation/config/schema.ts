import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { invalid } from '../../../models/errors.js';
import { recordId, seenVersion } from '../../../models/fields.js';
import { FoundationConfig } from '../../../models/foundation/config/FoundationConfig.js';
import type { Actor } from '../../../models/identity/Actor.js';

const settings = createBody(FoundationConfig).shape;

export const ConfigJson = rowJson(FoundationConfig);

export const ConfigCreate = z
  .object({
    ...settings,
    first_admin: recordId.optional().meta({
      description: 'User who becomes the first admin. Platform admins must name one; other people must not.',
    }),
  })
  .meta({ id: 'FoundationConfigCreate' });

export const ConfigReplace = z.object({ ...settings, version: seenVersion }).meta({ id: 'FoundationConfigReplace' });

export const ConfigEdit = editBody(FoundationConfig);

/** Returns the user who becomes the first admin. @throws Refusal validation_error naming first_admin */
export function firstAdminOf(actor: Actor, named: string | undefined): string {
  if (!actor.isPlatformAdmin) {
    if (named !== undefined && named !== actor.userId)
      throw invalid('first_admin', 'You become the first admin yourself. Leave this out, or send your own user id.');
    return actor.userId;
  }
  if (named === undefined) throw invalid('first_admin', 'Required: the id of the user who becomes the first admin.');
  return named;
}
