import type { Migration } from '../../schemaFiles.js';

const placeholder = (more = '') => `CHECK (CASE WHEN placeholder_in IS NULL
        THEN email IS NOT NULL AND typed_email IS NULL
        -- disabled for good: whatever signs in, resets, impersonates or appoints refuses it as it refuses those
        ELSE email IS NULL AND disabled_at IS NOT NULL AND password_hash IS NULL AND NOT must_change_password
             AND NOT is_platform_admin AND last_organization_id IS NULL ${more} END)`;

/** What an organization has typed of somebody who has not accepted may have a telephone number, as it has names. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE users DROP CONSTRAINT users_placeholder, ADD CONSTRAINT users_placeholder ${placeholder()};
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    UPDATE users SET phone_number = NULL WHERE placeholder_in IS NOT NULL AND phone_number IS NOT NULL;
    ALTER TABLE users DROP CONSTRAINT users_placeholder,
      ADD CONSTRAINT users_placeholder ${placeholder('AND phone_number IS NULL')};
  `);
