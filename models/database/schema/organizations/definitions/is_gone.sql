-- Whether a user row no longer represents a person: it was erased, or it is a placeholder that declined everything and
-- was erased.
CREATE OR REPLACE FUNCTION app.is_gone(p_user uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.placeholder_in IS NOT NULL AND u.typed_email IS NULL)
    OR EXISTS (SELECT FROM account_deletions d WHERE d.user_id = p_user AND d.status IN ('erasing', 'erased')) $$;
