/** The expected permissions of every policy. */
import { finances } from './finances.js';
import { forums } from './forums.js';
import { foundation } from './foundation.js';
import { intake } from './intake.js';
import { notifications } from './notifications.js';
import { organizations } from './organizations.js';
import type { Matrix, PersonName } from './people.js';
import { processes } from './processes.js';

const PEOPLE_OF_OTHERS: PersonName[] = [
  'foundationAdmin',
  'foundationEditor',
  'forumReader',
  'forumMember',
  'forumModerator',
  'forumAdmin',
];

/** A role in the foundation or in a forum gives no rights elsewhere: there its people may do what members may. */
const withPeopleOfOthers = (matrix: Matrix): Matrix =>
  Object.fromEntries(
    Object.entries(matrix).map(([subject, actions]) => [
      subject,
      Object.fromEntries(
        Object.entries(actions).map(([action, reach]) => [
          action,
          reach.member
            ? { ...Object.fromEntries(PEOPLE_OF_OTHERS.map((name) => [name, reach.member])), ...reach }
            : reach,
        ]),
      ),
    ]),
  );

export const expected: Matrix = {
  ...withPeopleOfOthers({
    ...organizations,
    ...notifications,
    ...finances,
    ...intake,
    ...processes,
    ...foundation,
    ...forums,
  }),
};
