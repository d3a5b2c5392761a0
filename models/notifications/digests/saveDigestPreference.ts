import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import type { Frequency } from './DigestPreference.js';

export interface DigestChoice {
  frequency: Frequency | null;
}

/** Returns how often a person wants a digest; null until they choose. */
export const readDigestPreference = async (userId: string): Promise<DigestChoice> =>
  (await firstRow<DigestChoice>(
    'SELECT frequency FROM digest_preferences WHERE organization_id = $1 AND user_id = $2',
    [currentOrganization(), userId],
  )) ?? { frequency: null };

export async function saveDigestPreference(userId: string, { frequency }: DigestChoice): Promise<void> {
  await rows(
    `INSERT INTO digest_preferences (organization_id, user_id, frequency) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT digest_preferences_once DO UPDATE SET frequency = excluded.frequency`,
    [currentOrganization(), userId, frequency],
  );
}
