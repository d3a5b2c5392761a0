import { z } from 'zod';

/** A moment in an answer. */
export const moment = z.iso.datetime({ offset: true });
