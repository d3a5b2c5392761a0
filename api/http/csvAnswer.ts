import type { Readable } from 'node:stream';
import { z } from 'zod';
import { Answer } from './routes.js';

/** Query field of an answer that is also available as a table. */
export const formatField = z
  .enum(['json', 'csv'])
  .default('json')
  .meta({ description: '`csv`: the same rows as a table.' });

/**
 * Answers with a CSV file, instead of the JSON of the route.
 * @param name name of the file without its extension
 */
export const csvAnswer = (name: string, stream: Readable): Answer<never> =>
  new Answer<never>(undefined as never, {
    stream,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
  });
