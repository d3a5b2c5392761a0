import { z } from 'zod';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { MemberDemographics } from '../../../models/organizations/profiles/MemberDemographics.js';

const { user, ethnicity, gender, pronouns, first_generation, version } = rowJson(MemberDemographics).shape;

export const DemographicsJson = z
  .object({ user, ethnicity, gender, pronouns, first_generation, version })
  .meta({ id: 'MemberDemographics' });

const given = editBody(MemberDemographics).shape;

export const DemographicsEdit = z
  .strictObject({
    ethnicity: given.ethnicity,
    gender: given.gender,
    pronouns: given.pronouns,
    first_generation: given.first_generation,
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description: 'The version that you have seen, 0 of nothing; after a change the answer is 409.',
      example: 0,
    }),
  })
  .meta({ id: 'MemberDemographicsEdit' });
