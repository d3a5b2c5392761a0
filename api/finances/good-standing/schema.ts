import { z } from 'zod';
import { recordId } from '../../../models/fields.js';
import { GoodStandingProof } from '../../../models/finances/good-standing/GoodStandingProof.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { pageQuery } from '../../http/pagination.js';

export const OwnProofFilters = z.object({
  ...pageQuery,
  membership: recordId.optional().meta({ description: 'If left out, all your memberships.' }),
});

export const ProofCreate = z
  .strictObject({
    membership: recordId.optional().meta({ description: 'Required if you have several memberships.' }),
    days: z.int().min(1).max(90).meta({ description: 'Number of days that the proof is valid, from tomorrow on.' }),
  })
  .meta({ id: 'GoodStandingProofCreate', example: { days: 30 } });

export const ProofJson = z.object(rowJson(GoodStandingProof).shape).meta({ id: 'GoodStandingProof' });

export const ProofCreatedJson = ProofJson.extend({
  code: z.string().meta({ description: 'Shown now and never again.' }),
  url: z.string().meta({ description: 'The page that shows the proof.' }),
}).meta({ id: 'GoodStandingProofGiven' });

export const CodeQuery = z.object({ code: z.string().min(1).max(200) });

export const ProvenStandingJson = z
  .object({
    name: z.string(),
    chapter_name: z.string(),
    organization_name: z.string(),
    was_good_on: z.iso.date().meta({ description: 'The proof says nothing about later days.' }),
    good_until: z.iso
      .date()
      .meta({ description: 'The last day on which the proof is valid, in the time zone of the organization.' }),
  })
  .meta({ id: 'ProvenStanding' });
