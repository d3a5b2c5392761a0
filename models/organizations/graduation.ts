/** Columns of graduation year and season, with the same rules wherever they occur (spec: Membership rules 1 to 5). */
import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, oneOf } from '../database/model/columns.js';
import { GRADUATION_SEASONS, GRADUATION_YEARS } from './vocabulary.js';

const { first, last } = GRADUATION_YEARS;

export const graduationColumns = {
  graduation_year: column(DataTypes.INTEGER, z.int().min(first).max(last))
    .nullable()
    .meta({ description: 'The year in which the academic year ends: 2027 for fall 2026.', example: 2027 }),
  graduation_season: oneOf(GRADUATION_SEASONS).nullable().meta({ description: 'Requires a graduation year.' }),
};
