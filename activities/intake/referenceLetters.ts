import { inTenant } from '../../models/database/tenancy.js';
import { followLetter, type LetterStep } from '../../models/intake/reference-letters/followLetter.js';
import type { ReferenceLetterInput } from '../../workflows/contracts/referenceLetter.js';

/** Does what is due for a reference letter at this time. A second run finds it done. */
export const followReferenceLetter = ({ organizationId, letterId }: ReferenceLetterInput): Promise<LetterStep> =>
  inTenant(organizationId, () => followLetter(letterId));
