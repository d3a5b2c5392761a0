import { inTenant } from '../../models/database/tenancy.js';
import { followLetter, type LetterStep } from '../../models/intake/reference-letters/followLetter.js';
import type { ReferenceLetterInput } from '../../workflows/contracts/referenceLetter.js';

/** Sends the mails that are due for a reference letter, or expires it. A second run changes nothing. */
export const followReferenceLetter = ({ organizationId, letterId }: ReferenceLetterInput): Promise<LetterStep> =>
  inTenant(organizationId, () => followLetter(letterId));
