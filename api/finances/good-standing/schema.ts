import { z } from 'zod';
import { recordId } from '../../../models/fields.js';
import { GoodStandingProof } from '../../../models/finances/good-standing/GoodStandingProof.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { pageQuery } from '../../http/pagination.js';

export const OwnProofFilters = z.object({
  ...pageQuery,
  membership: recordId.optional().meta({ description: 'Left out: of all of yours.' }),
});

export const ProofCreate = z
  .strictObject({
    membership: recordId.optional().meta({ description: 'Required for those who have several.' }),
    days: z.int().min(1).max(90).meta({ description: 'So long it can be seen, from tomorrow on.' }),
  })
  .meta({ id: 'GoodStandingProofCreate', example: { days: 30 } });

export const ProofJson = z.object(rowJson(GoodStandingProof).shape).meta({ id: 'GoodStandingProof' });

export const ProofGivenJson = ProofJson.extend({
  code: z.string().meta({ description: 'Shown now and never again.' }),
  url: z.string().meta({ description: 'The page for whoever it is proven to.' }),
}).meta({ id: 'GoodStandingProofGiven' });

export const CodeQuery = z.object({ code: z.string().min(1).max(200) });

export const ProvenStandingJson = z
  .object({
    name: z.string(),
    chapter_name: z.string(),
    organization_name: z.string(),
    was_good_on: z.iso.date().meta({ description: 'Nothing is said of any day since.' }),
    good_until: z.iso
      .date()
      .meta({ description: 'The last day on which this can be seen, in the zone of the organization.' }),
  })
  .meta({ id: 'ProvenStanding' });
