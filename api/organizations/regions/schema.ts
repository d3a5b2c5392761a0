import { z } from 'zod';
import { recordId, seenVersion, stamps, text } from '../fields.js';

export const RegionParams = z.object({ id: recordId, region_id: recordId });

const states = z
  .array(
    z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2,3}$/, 'Must be a state code, for example OH.'),
  )
  .max(100)
  .transform((codes) => [...new Set(codes)])
  .meta({ description: 'State codes; repeated ones count once.', example: ['OH', 'MI'] });

export const RegionCreate = z.object({ name: text(200), states: states.default([]) }).meta({ id: 'RegionCreate' });

export const RegionEdit = z
  .object({ name: text(200).optional(), states: states.optional(), version: seenVersion })
  .meta({ id: 'RegionEdit' });

export const RegionJson = z
  .object({
    id: z.uuid(),
    organization: z.uuid(),
    name: z.string(),
    states: z.array(z.string()).meta({ example: ['OH', 'MI'] }),
    ...stamps,
  })
  .meta({ id: 'Region' });
