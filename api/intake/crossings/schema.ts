import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { text } from '../../../models/fields.js';
import { Crossing } from '../../../models/intake/crossings/Crossing.js';

export const CrossingJson = rowJson(Crossing);

export const RevertBody = z.strictObject({ reason: text(500).optional() }).meta({ id: 'CrossingRevert' });
