import { z } from 'zod';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { MemberDemographics } from '../../../models/organizations/profiles/MemberDemographics.js';

const { user, ethnicity, gender, pronouns, first_generation, version } = rowJson(MemberDemographics).shape;

export const DemographicsJson = z
  .object({ user, ethnicity, gender, pronouns, first_generation, version })
  .meta({ id: 'MemberDemographics' });

const fields = editBody(MemberDemographics).shape;

export const DemographicsEdit = z
  .strictObject({
    ethnicity: fields.ethnicity,
    gender: fields.gender,
    pronouns: fields.pronouns,
    first_generation: fields.first_generation,
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description: 'The version that you last read; 0 if none exists. A different current version returns 409.',
      example: 0,
    }),
  })
  .meta({ id: 'MemberDemographicsEdit' });
