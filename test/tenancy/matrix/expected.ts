/** The expected permissions of every policy. */
import { finances } from './finances.js';
import { foundation } from './foundation.js';
import { intake } from './intake.js';
import { notifications } from './notifications.js';
import { organizations } from './organizations.js';
import type { Matrix } from './people.js';
import { processes } from './processes.js';

/** A role in the foundation gives no rights elsewhere: there its people may do what members may. */
const withFoundationPeople = (matrix: Matrix): Matrix =>
  Object.fromEntries(
    Object.entries(matrix).map(([subject, actions]) => [
      subject,
      Object.fromEntries(
        Object.entries(actions).map(([action, reach]) => [
          action,
          reach.member ? { ...reach, foundationAdmin: reach.member, foundationEditor: reach.member } : reach,
        ]),
      ),
    ]),
  );

export const expected: Matrix = {
  ...withFoundationPeople({ ...organizations, ...notifications, ...finances, ...intake, ...processes }),
  ...foundation,
};
