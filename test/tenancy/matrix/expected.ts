/** The expected permissions of every policy. */
import { finances } from './finances.js';
import { intake } from './intake.js';
import { notifications } from './notifications.js';
import { organizations } from './organizations.js';
import type { Matrix } from './people.js';
import { processes } from './processes.js';

export const expected: Matrix = { ...organizations, ...notifications, ...finances, ...intake, ...processes };
