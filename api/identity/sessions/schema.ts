import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { Session } from '../../../models/identity/Session.js';
import { pageQuery } from '../../http/pagination.js';

export const SessionQuery = z.object(pageQuery);

export const SessionJson = z.object({ ...rowJson(Session).shape, is_current: z.boolean() }).meta({ id: 'Session' });

export const RevokedJson = z.object({ revoked: z.int().meta({ description: 'Number of sessions that ended.' }) });
