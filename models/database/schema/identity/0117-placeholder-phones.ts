import type { Migration } from '../../schemaFiles.js';

const placeholder = (more = '') => `CHECK (CASE WHEN placeholder_in IS NULL
        THEN email IS NOT NULL AND typed_email IS NULL
        -- disabled permanently: sign-in, reset, impersonation and appointment refuse it like other disabled accounts
        ELSE email IS NULL AND disabled_at IS NOT NULL AND password_hash IS NULL AND NOT must_change_password
             AND NOT is_platform_admin AND last_organization_id IS NULL ${more} END)`;

/** Allows a telephone number for a placeholder, besides names. */
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
